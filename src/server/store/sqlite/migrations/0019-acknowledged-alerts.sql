-- Who took on an alert that fires; gone once it ended. `value`: what it was then; `worse_at`: when it became so much worse that this no longer counts.
CREATE TABLE alert_ack (
  rule_id TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  at INTEGER NOT NULL,
  by_whom TEXT NOT NULL,
  note TEXT NOT NULL,
  value REAL,
  worse_at INTEGER,
  PRIMARY KEY (rule_id, fingerprint)
) STRICT, WITHOUT ROWID;
