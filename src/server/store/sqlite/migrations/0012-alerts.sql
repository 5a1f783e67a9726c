-- Rules as JSON (contract RuleConfig). `built_in`: its key among the rules that come with the product.
CREATE TABLE alert_rule (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  built_in INTEGER NOT NULL,
  config TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL
) STRICT;

-- One row for each label set that is not Normal: what a restart must not forget. `facts` is the state machine's.
CREATE TABLE alert_instance (
  rule_id TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  labels TEXT NOT NULL,
  facts TEXT NOT NULL,
  PRIMARY KEY (rule_id, fingerprint)
) STRICT, WITHOUT ROWID;

CREATE TABLE alert_silence (
  id TEXT PRIMARY KEY,
  matchers TEXT NOT NULL,
  comment TEXT NOT NULL,
  starts_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL
) STRICT;
CREATE INDEX alert_silence_by_end ON alert_silence (ends_at);

-- `box` is AES-256-GCM of the JSON of all its secrets, under the key of the secrets; null: it has none.
CREATE TABLE alert_channel (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  config TEXT NOT NULL,
  secret_names TEXT NOT NULL,
  key_id TEXT,
  nonce BLOB,
  box BLOB,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL
) STRICT;

CREATE TABLE alert_policy (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  policy TEXT NOT NULL
) STRICT;

-- A group of alerts on its way to one channel: `told` is what the receiver knows to be firing.
CREATE TABLE alert_group (
  key TEXT PRIMARY KEY,
  state TEXT NOT NULL
) STRICT;

-- The message of a group that was decided and is not delivered yet; at most one each.
CREATE TABLE alert_outbox (
  group_key TEXT PRIMARY KEY,
  id TEXT NOT NULL,
  message TEXT NOT NULL
) STRICT;

CREATE TABLE alert_history (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  rule_id TEXT,
  fingerprint TEXT,
  entry TEXT NOT NULL
) STRICT;
CREATE INDEX alert_history_by_at ON alert_history (at);
CREATE INDEX alert_history_by_rule ON alert_history (rule_id, id);
