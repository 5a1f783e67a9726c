-- Passkeys of people of this master: with one, a browser or a security key proves who they are.
CREATE TABLE passkey (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  -- What the authenticator calls it, base64url.
  credential_id TEXT NOT NULL UNIQUE,
  -- COSE.
  public_key BLOB NOT NULL,
  -- The name of this master that it is for (rp ID); browsers offer it nowhere else.
  host TEXT NOT NULL,
  name TEXT NOT NULL,
  -- How often the authenticator used it, as it says; 0: it does not count.
  counter INTEGER NOT NULL,
  -- JSON array: how the browser reaches the authenticator.
  transports TEXT NOT NULL,
  -- 1: kept by a password manager or an account that may copy it to other devices.
  synced INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  -- When its counter went back: there is a copy of it, and neither opens anything from then on.
  copied_at INTEGER
) STRICT;
CREATE INDEX passkey_by_user ON passkey (user_id);
-- Challenges that were answered: each is taken once. Rows go when the challenges have expired anyway.
CREATE TABLE passkey_challenge (
  challenge TEXT PRIMARY KEY,
  until INTEGER NOT NULL
) STRICT;
-- Signs the challenges that browsers hold, for all masters of a cluster; one row, made with the first challenge.
CREATE TABLE passkey_signing (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  key BLOB NOT NULL
) STRICT;
