-- People and service accounts. What they may do stands elsewhere: here is who they are.
CREATE TABLE user (
  id TEXT PRIMARY KEY,
  -- What they sign in with and what the audit log calls them, in lower case.
  login TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  email TEXT,
  -- person, service
  kind TEXT NOT NULL,
  -- local, oidc
  source TEXT NOT NULL,
  -- Who they are at their provider; a login or an e-mail there may go to somebody else.
  issuer TEXT,
  subject TEXT,
  -- JSON array of names: of a person of a provider as seen last.
  groups TEXT NOT NULL DEFAULT '[]',
  -- With its parameters; null: has none.
  password TEXT,
  -- A one-time password holds until then; null: it is their own.
  password_until INTEGER,
  disabled_at INTEGER,
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  last_sign_in_at INTEGER,
  -- When their provider said last that they still are who they are.
  confirmed_at INTEGER
) STRICT;
CREATE UNIQUE INDEX user_by_subject ON user (issuer, subject) WHERE subject IS NOT NULL;
ALTER TABLE token ADD COLUMN user_id TEXT;
ALTER TABLE session ADD COLUMN user_id TEXT;
-- JSON of what the sign-in at a provider left, its tokens encrypted; null: signed in otherwise.
ALTER TABLE session ADD COLUMN provider TEXT;
CREATE INDEX token_by_user ON token (user_id) WHERE user_id IS NOT NULL;
