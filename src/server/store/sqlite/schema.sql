-- What the migrations come to: the schema of a new database. Written by `npx vitest run migrate -u`, never by hand.

CREATE TABLE workflow (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  description TEXT,
  head TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  archived_at INTEGER
, limits TEXT, project TEXT NOT NULL DEFAULT 'default') STRICT;

CREATE TABLE definition (
  blob TEXT PRIMARY KEY,
  text TEXT NOT NULL
) STRICT;

CREATE TABLE version (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  hash TEXT NOT NULL UNIQUE,
  workflow_id TEXT NOT NULL REFERENCES workflow (id),
  parent TEXT,
  blob TEXT NOT NULL REFERENCES definition (blob),
  message TEXT NOT NULL,
  author_name TEXT NOT NULL,
  author_email TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  faults TEXT NOT NULL
, checker INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE INDEX version_by_workflow ON version (workflow_id, seq);

CREATE INDEX version_by_prefix ON version (workflow_id, hash);

CREATE TABLE pointer (
  workflow_id TEXT NOT NULL REFERENCES workflow (id),
  environment TEXT NOT NULL,
  hash TEXT NOT NULL REFERENCES version (hash),
  publication_id TEXT NOT NULL,
  PRIMARY KEY (workflow_id, environment)
) STRICT, WITHOUT ROWID;

CREATE TABLE publication (
  id TEXT PRIMARY KEY,
  workflow_id TEXT NOT NULL REFERENCES workflow (id),
  environment TEXT NOT NULL,
  hash TEXT,
  previous_hash TEXT,
  description TEXT,
  published_at INTEGER NOT NULL,
  published_by TEXT NOT NULL
, approved_by TEXT) STRICT;

CREATE INDEX publication_by_workflow ON publication (workflow_id, id);

CREATE INDEX publication_by_hash ON publication (hash, id) WHERE hash IS NOT NULL;

CREATE TABLE job (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  external_id TEXT,
  workflow_id TEXT NOT NULL,
  environment TEXT,
  commit_hash TEXT NOT NULL,
  kind TEXT NOT NULL,
  response TEXT NOT NULL,
  input_count INTEGER NOT NULL,
  replica_timeout_s INTEGER,
  -- When the open replicas run out of time; null where they have no limit or it was dealt with.
  replica_deadline INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  finished_at INTEGER,
  killed_at INTEGER,
  duration_ms INTEGER,
  ready INTEGER NOT NULL DEFAULT 0,
  scheduled INTEGER NOT NULL DEFAULT 0,
  running INTEGER NOT NULL DEFAULT 0,
  completed INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  schedule_timeout INTEGER NOT NULL DEFAULT 0,
  run_timeout INTEGER NOT NULL DEFAULT 0,
  -- FAILED tasks that wait for a retry; counted in `failed` too.
  retrying INTEGER NOT NULL DEFAULT 0,
  -- The first replica that finally failed.
  failure_task TEXT,
  failure_node TEXT,
  failure_code TEXT,
  failure_message TEXT,
  failure_at INTEGER,
  rerun_of TEXT,
  parent_task_id TEXT,
  -- Output of a job of one replica: the task whose output it is, or the text, or the payload.
  output_task INTEGER,
  output TEXT,
  output_payload INTEGER,
  -- The same as `statusOf` of the contract, held to it here; a property test holds the two together. A column of its own
  -- rather than a generated one, so that its index is touched only when the status changes.
  status TEXT NOT NULL CHECK (status =
    CASE
      WHEN ready + scheduled + running + completed + failed + schedule_timeout + run_timeout = 0 THEN 'EMPTY'
      WHEN ready + scheduled + running + failed + schedule_timeout + run_timeout = 0 THEN 'COMPLETED'
      WHEN schedule_timeout + run_timeout > 0 THEN CASE WHEN failed > 0 THEN 'MIXED' ELSE 'TIMEOUT' END
      WHEN failed > 0 THEN CASE WHEN ready + scheduled + running > 0 THEN 'PARTIAL_FAILURE' ELSE 'FAILED' END
      ELSE 'RUNNING'
    END
  )
, parent_job_id TEXT, rerun_node TEXT, depth INTEGER NOT NULL DEFAULT 0, priority INTEGER NOT NULL DEFAULT 0, key_seq INTEGER, labels TEXT, retried_at INTEGER, output_sum INTEGER, trace TEXT, trigger_kind TEXT, trigger_id TEXT, trigger_due INTEGER) STRICT;

CREATE INDEX job_by_created ON job (created_at);

CREATE INDEX job_by_status ON job (status);

CREATE INDEX job_by_workflow ON job (workflow_id);

CREATE INDEX job_by_external_id ON job (external_id) WHERE external_id IS NOT NULL;

CREATE INDEX job_by_replica_deadline ON job (replica_deadline) WHERE replica_deadline IS NOT NULL;

CREATE TABLE task (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  job INTEGER NOT NULL,
  node TEXT NOT NULL,
  type TEXT NOT NULL,
  replica INTEGER NOT NULL,
  item INTEGER,
  state TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  retry_count INTEGER NOT NULL,
  worker_id TEXT,
  ready_at INTEGER NOT NULL,
  -- When a READY task becomes SCHEDULE_TIMEOUT.
  ready_deadline INTEGER NOT NULL,
  scheduled_at INTEGER,
  started_at INTEGER,
  finished_at INTEGER,
  retry_at INTEGER,
  error_code TEXT,
  error_message TEXT,
  error_retryable INTEGER,
  -- The port that a condition took.
  port TEXT,
  -- One of three: the text, a payload, or the task whose output it is.
  input TEXT,
  input_payload INTEGER,
  input_task INTEGER,
  output TEXT,
  output_payload INTEGER,
  -- JSON lines, one for each retry made.
  entries TEXT NOT NULL DEFAULT '',
  -- One line for each transition (jobs/history.ts).
  history TEXT NOT NULL
, input_sum INTEGER, output_sum INTEGER, error_stack TEXT) STRICT;

CREATE INDEX task_open ON task (state, job) WHERE state <> 'COMPLETED';

CREATE INDEX task_by_ready_deadline ON task (ready_deadline) WHERE state = 'READY';

CREATE INDEX task_by_retry ON task (retry_at) WHERE retry_at IS NOT NULL;

CREATE TABLE payload (
  id INTEGER PRIMARY KEY,
  job INTEGER NOT NULL,
  text TEXT NOT NULL
, sum INTEGER) STRICT;

CREATE INDEX payload_by_job ON payload (job);

CREATE TABLE replica (
  job INTEGER NOT NULL,
  replica INTEGER NOT NULL,
  output_task INTEGER,
  output TEXT,
  output_payload INTEGER, output_sum INTEGER,
  PRIMARY KEY (job, replica)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency (
  key_id TEXT NOT NULL,
  workflow_id TEXT NOT NULL,
  environment TEXT NOT NULL,
  key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  job_id TEXT NOT NULL,
  created_at INTEGER NOT NULL, accepted TEXT,
  PRIMARY KEY (key_id, workflow_id, environment, key)
) STRICT;

CREATE INDEX idempotency_by_created ON idempotency (created_at);

CREATE TABLE job_minute (
  minute INTEGER PRIMARY KEY,
  created INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  finished INTEGER NOT NULL,
  durations TEXT NOT NULL
) STRICT;

CREATE TABLE worker (
  id TEXT PRIMARY KEY,
  url TEXT NOT NULL,
  version TEXT NOT NULL,
  capacity INTEGER NOT NULL,
  labels TEXT NOT NULL,
  handlers TEXT NOT NULL,
  drained INTEGER NOT NULL,
  goodbye INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  registered_at INTEGER NOT NULL,
  last_heartbeat_at INTEGER
, token_id TEXT, environments TEXT, ended TEXT) STRICT;

CREATE TABLE api_key (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  prefix TEXT NOT NULL,
  workflows TEXT NOT NULL,
  environments TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  last_used_at INTEGER
, seq INTEGER, limits TEXT, project TEXT NOT NULL DEFAULT 'default', made_by_user TEXT) STRICT;

CREATE TABLE api_key_secret (
  hash TEXT PRIMARY KEY,
  key_id TEXT NOT NULL REFERENCES api_key (id),
  until INTEGER
) STRICT;

CREATE INDEX api_key_secret_by_key ON api_key_secret (key_id);

CREATE TABLE token (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  prefix TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  -- Made by the master itself for its own processes, replaced when its secret changes.
  own INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER
, environments TEXT, labels TEXT NOT NULL DEFAULT '{}', user_id TEXT, made_by_user TEXT) STRICT;

CREATE TABLE session (
  hash TEXT PRIMARY KEY,
  actor TEXT NOT NULL,
  role TEXT NOT NULL,
  token_id TEXT,
  expires_at INTEGER NOT NULL
, created_at INTEGER, address TEXT, client TEXT, user_id TEXT, provider TEXT) STRICT;

CREATE INDEX task_by_job ON task (job, replica, item);

CREATE INDEX task_claimable ON task (job) WHERE state = 'READY' AND ready_deadline < 9007199254740991;

CREATE INDEX task_withheld ON task (job, replica, node, item) WHERE state = 'READY' AND ready_deadline = 9007199254740991;

CREATE TABLE fan_out (
  job INTEGER NOT NULL,
  replica INTEGER NOT NULL,
  node TEXT NOT NULL,
  -- list: its list comes in. expand: its tasks are being made. run. stop: its open tasks are being stopped. stopped.
  -- revive: those stopped are being made ready again. done: its outputs are joined.
  phase TEXT NOT NULL,
  -- The attempt of the task that evaluates the list, and how many items of it have come.
  attempt INTEGER NOT NULL,
  received INTEGER NOT NULL,
  list_characters INTEGER NOT NULL,
  -- Null until the whole list is there.
  total INTEGER,
  born INTEGER NOT NULL,
  -- Tasks that are queued or with a worker: at most as many as the node's concurrency.
  active INTEGER NOT NULL,
  withheld INTEGER NOT NULL,
  completed INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  output_characters INTEGER NOT NULL,
  -- What the node was given: the text, a payload, or the task whose output it is.
  input TEXT,
  input_payload INTEGER,
  input_task INTEGER,
  output TEXT,
  output_payload INTEGER, input_sum INTEGER, output_sum INTEGER,
  PRIMARY KEY (job, replica, node)
) STRICT, WITHOUT ROWID;

CREATE INDEX fan_out_at_work ON fan_out (phase) WHERE phase IN ('expand', 'stop', 'revive') OR phase = 'run' AND active = 0 AND withheld > 0;

CREATE TABLE fan_out_list (
  job INTEGER NOT NULL,
  replica INTEGER NOT NULL,
  node TEXT NOT NULL,
  first INTEGER NOT NULL,
  items TEXT NOT NULL, sum INTEGER,
  PRIMARY KEY (job, replica, node, first)
) STRICT, WITHOUT ROWID;

CREATE TABLE fan_out_part (
  job INTEGER NOT NULL,
  replica INTEGER NOT NULL,
  node TEXT NOT NULL,
  part INTEGER NOT NULL,
  ended INTEGER NOT NULL,
  -- The texts of the outputs, joined by commas; null until all have ended.
  outputs TEXT, sum INTEGER,
  PRIMARY KEY (job, replica, node, part)
) STRICT, WITHOUT ROWID;

CREATE TABLE child (
  task INTEGER PRIMARY KEY,
  -- The job of the task.
  parent INTEGER NOT NULL,
  job INTEGER NOT NULL UNIQUE,
  job_id TEXT NOT NULL,
  -- When the task's run time is over; null once the child has ended or was ended for it.
  deadline INTEGER
) STRICT;

CREATE INDEX child_by_parent ON child (parent);

CREATE INDEX child_by_deadline ON child (deadline) WHERE deadline IS NOT NULL;

CREATE TABLE child_due (task INTEGER PRIMARY KEY, job INTEGER NOT NULL) STRICT;

CREATE INDEX job_by_parent_task ON job (parent_task_id) WHERE parent_task_id IS NOT NULL;

CREATE INDEX job_by_parent_job ON job (parent_job_id) WHERE parent_job_id IS NOT NULL;

CREATE INDEX job_by_rerun ON job (rerun_of) WHERE rerun_of IS NOT NULL;

CREATE INDEX job_waiting ON job (priority, seq, ready) WHERE ready > 0;

CREATE UNIQUE INDEX api_key_by_seq ON api_key (seq);

CREATE TABLE operation (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('RUNNING', 'DONE', 'ABORTED')),
  -- JSON of the filter as submitted; null where ids were given.
  filter TEXT,
  -- A retry of failures that a retry does not mend, too.
  non_retryable INTEGER NOT NULL,
  total INTEGER NOT NULL,
  -- Jobs dealt with, and those of them with which it could not be done. The next job is the one at `done`.
  done INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  -- The job at hand, where it takes several turns: the last task looked at, and how many were changed. Null: not begun.
  cursor INTEGER,
  changed INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  created_by TEXT NOT NULL
, rerun TEXT, from_snapshot INTEGER NOT NULL DEFAULT 0, places TEXT) STRICT;

CREATE INDEX operation_running ON operation (seq) WHERE status = 'RUNNING';

CREATE INDEX operation_ended ON operation (finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE operation_chunk (
  operation INTEGER NOT NULL,
  first INTEGER NOT NULL,
  jobs TEXT NOT NULL
, left_out TEXT) STRICT;

CREATE UNIQUE INDEX operation_chunk_by_place ON operation_chunk (operation, first);

CREATE TABLE operation_result (
  operation INTEGER NOT NULL,
  place INTEGER NOT NULL,
  job_id TEXT NOT NULL,
  ok INTEGER NOT NULL,
  rank INTEGER NOT NULL,
  code TEXT,
  message TEXT, new_job_id TEXT,
  PRIMARY KEY (operation, place)
) STRICT, WITHOUT ROWID;

CREATE INDEX operation_result_by_rank ON operation_result (operation, ok, rank);

CREATE INDEX job_by_finished ON job (finished_at, seq, status, workflow_id, environment, created_at) WHERE finished_at IS NOT NULL;

CREATE INDEX job_by_duration ON job (duration_ms, seq, status, workflow_id, environment, created_at) WHERE duration_ms IS NOT NULL;

CREATE TABLE job_block (
  block INTEGER NOT NULL,
  workflow_id TEXT NOT NULL,
  environment TEXT NOT NULL,
  status TEXT NOT NULL,
  jobs INTEGER NOT NULL,
  PRIMARY KEY (block, workflow_id, environment, status)
) STRICT, WITHOUT ROWID;

CREATE TABLE failure_group (
  id TEXT PRIMARY KEY,
  workflow_id TEXT NOT NULL,
  node TEXT NOT NULL,
  code TEXT NOT NULL,
  message TEXT NOT NULL,
  -- The newest message as it came.
  sample TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('OPEN', 'RESOLVED', 'IGNORED')),
  count INTEGER NOT NULL,
  first_seen_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  last_job TEXT NOT NULL,
  last_task TEXT NOT NULL,
  decided_at INTEGER,
  decided_by TEXT,
  reopened_at INTEGER
, same_message INTEGER NOT NULL DEFAULT 0, histogram TEXT) STRICT, WITHOUT ROWID;

CREATE INDEX failure_group_by_seen ON failure_group (last_seen_at);

CREATE TABLE failure_part (
  group_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  count INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  PRIMARY KEY (group_id, kind, value)
) STRICT, WITHOUT ROWID;

CREATE TABLE failure_job (
  group_id TEXT NOT NULL,
  job INTEGER NOT NULL,
  task TEXT NOT NULL,
  worker_id TEXT,
  at INTEGER NOT NULL,
  PRIMARY KEY (group_id, job)
) STRICT, WITHOUT ROWID;

CREATE INDEX failure_job_by_job ON failure_job (job);

CREATE TABLE setting (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE secret (
  name TEXT PRIMARY KEY,
  description TEXT,
  key_id TEXT NOT NULL,
  nonce BLOB NOT NULL,
  box BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL
, scope TEXT NOT NULL DEFAULT '{"drafts":false}', project TEXT NOT NULL DEFAULT 'default') STRICT;

CREATE TABLE removed_job (
  seq INTEGER PRIMARY KEY
) STRICT;

CREATE TABLE archive_file (
  name TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL,
  jobs INTEGER NOT NULL
) STRICT;

CREATE INDEX publication_by_time ON publication (published_at);

CREATE TABLE unborn (
  job INTEGER NOT NULL,
  chunk INTEGER NOT NULL,
  -- The replica of the first input.
  replica INTEGER NOT NULL,
  count INTEGER NOT NULL,
  -- Replicas that have all their first tasks, and how many of them the next one has.
  begun INTEGER NOT NULL DEFAULT 0,
  tasks INTEGER NOT NULL DEFAULT 0,
  -- JSON texts, each ended by a line feed.
  texts BLOB NOT NULL, sum INTEGER,
  PRIMARY KEY (job, chunk)
) STRICT;

CREATE INDEX job_troubled ON job (status) WHERE finished_at IS NULL AND status <> 'RUNNING';

CREATE INDEX task_waiting ON task (job) WHERE retry_at IS NOT NULL;

CREATE TABLE alert_rule (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  built_in INTEGER NOT NULL,
  config TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL
) STRICT;

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

CREATE TABLE alert_group (
  key TEXT PRIMARY KEY,
  state TEXT NOT NULL
) STRICT;

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

CREATE TABLE dashboard (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  definition TEXT NOT NULL,
  version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL
, project TEXT NOT NULL DEFAULT 'default') STRICT;

CREATE TABLE shadow_replay (
  id TEXT PRIMARY KEY,
  workflow_id TEXT NOT NULL,
  commit_hash TEXT NOT NULL,
  environment TEXT NOT NULL,
  against TEXT,
  -- JSON objects and lists.
  chosen_by TEXT NOT NULL,
  warnings TEXT NOT NULL,
  -- What is replayed, in order: a list of [job id, replica, commit].
  inputs TEXT NOT NULL,
  status TEXT NOT NULL,
  total INTEGER NOT NULL,
  done INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  created_by TEXT NOT NULL
) STRICT;

CREATE INDEX shadow_replay_by_workflow ON shadow_replay (workflow_id, created_at);

CREATE TABLE shadow_result (
  replay TEXT NOT NULL,
  number INTEGER NOT NULL,
  job_id TEXT NOT NULL,
  replica INTEGER NOT NULL,
  commit_hash TEXT NOT NULL,
  verdict TEXT NOT NULL,
  -- Paths that differ, `*` for every index, as a JSON list; `complete` is 0 where there are more.
  patterns TEXT NOT NULL,
  complete INTEGER NOT NULL,
  -- All else that is shown in lists, as a JSON object.
  facts TEXT NOT NULL,
  PRIMARY KEY (replay, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE shadow_text (
  replay TEXT NOT NULL,
  number INTEGER NOT NULL,
  input TEXT,
  before TEXT,
  after TEXT,
  PRIMARY KEY (replay, number)
) STRICT;

CREATE TABLE shadow_ignore (
  workflow_id TEXT PRIMARY KEY,
  paths TEXT NOT NULL
) STRICT;

CREATE INDEX version_by_blob ON version (workflow_id, blob);

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

CREATE TABLE job_snapshot (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  -- JSON of what the dry run was for: the same operation knows by it which jobs have changed since.
  purpose TEXT NOT NULL,
  -- JSON of its filter; null where ids were given.
  filter TEXT,
  total INTEGER NOT NULL,
  created_at INTEGER NOT NULL
, held_until INTEGER, places TEXT) STRICT;

CREATE TABLE "audit" (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  role TEXT,
  address TEXT,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  before TEXT,
  after TEXT,
  -- SHA-256 of the entry and the hash before it, Base64; null until the first start with chains.
  hash TEXT
) STRICT;

CREATE INDEX audit_by_action ON audit (action, id);

CREATE INDEX audit_by_actor ON audit (actor, id);

CREATE INDEX audit_by_target ON audit (target, id);

CREATE INDEX audit_by_at ON audit (at);

CREATE INDEX audit_secret_use ON audit (json_extract(after, '$.jobId'), target) WHERE action = 'secret.use';

CREATE TABLE audit_anchor (
  chain TEXT PRIMARY KEY,
  n INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT;

CREATE TABLE audit_export (
  destination TEXT PRIMARY KEY,
  changes INTEGER NOT NULL,
  uses INTEGER NOT NULL
) STRICT;

CREATE TABLE project (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  -- JSON array of paths whose values are masked in answers.
  masks TEXT NOT NULL DEFAULT '[]',
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL
) STRICT;

CREATE TABLE role (
  id TEXT PRIMARY KEY,
  description TEXT,
  -- JSON array of actions.
  actions TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL
) STRICT;

CREATE TABLE role_grant (
  id TEXT PRIMARY KEY,
  subject_kind TEXT NOT NULL CHECK (subject_kind IN ('user', 'group')),
  subject TEXT NOT NULL,
  role TEXT NOT NULL,
  project TEXT REFERENCES project (id),
  environments TEXT,
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL
) STRICT;

CREATE INDEX role_grant_by_subject ON role_grant (subject_kind, subject);

CREATE INDEX workflow_by_project ON workflow (project, id);

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

CREATE INDEX token_by_user ON token (user_id) WHERE user_id IS NOT NULL;

CREATE TABLE approval (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  workflow_id TEXT,
  subject TEXT NOT NULL,
  request TEXT,
  snapshot TEXT,
  requested_by TEXT NOT NULL,
  requester TEXT NOT NULL,
  requested_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  decided_by TEXT,
  decided_at INTEGER,
  comment TEXT,
  override INTEGER NOT NULL DEFAULT 0,
  operation_id TEXT
, task INTEGER, remind_at INTEGER) STRICT;

CREATE INDEX approval_by_status ON approval (status, id);

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

CREATE TABLE passkey_challenge (
  challenge TEXT PRIMARY KEY,
  until INTEGER NOT NULL
) STRICT;

CREATE TABLE passkey_signing (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  key BLOB NOT NULL
) STRICT;

CREATE INDEX job_by_trace ON job (substr(trace, 1, 32)) WHERE trace IS NOT NULL;

CREATE INDEX job_by_trigger ON job (trigger_id) WHERE trigger_id IS NOT NULL;

CREATE INDEX job_by_trigger_kind ON job (trigger_kind) WHERE trigger_kind IS NOT NULL;

CREATE TABLE schedule (
  id TEXT PRIMARY KEY,
  workflow_id TEXT NOT NULL,
  environment TEXT NOT NULL,
  spec TEXT NOT NULL,
  paused INTEGER NOT NULL,
  -- The due time that comes next, and when it is to be started (later by its jitter, or by a start that is repeated); null: there is none.
  next_at INTEGER,
  start_at INTEGER,
  -- Starts of `next_at` that failed.
  attempts INTEGER NOT NULL DEFAULT 0,
  last_at INTEGER,
  last_outcome TEXT,
  -- The due time that waits for the end of the job before it (overlap `queue`).
  waiting_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  created_by TEXT NOT NULL
) STRICT;

CREATE INDEX schedule_by_start ON schedule (start_at) WHERE start_at IS NOT NULL;

CREATE INDEX schedule_by_workflow ON schedule (workflow_id, id);

CREATE INDEX schedule_by_waiting ON schedule (id) WHERE waiting_at IS NOT NULL;

CREATE TABLE schedule_run (
  schedule TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  job_id TEXT,
  outcome TEXT NOT NULL CHECK (outcome IN ('STARTED', 'SKIPPED', 'MISSED', 'FAILED')),
  reason TEXT,
  trouble TEXT,
  PRIMARY KEY (schedule, due_at)
) STRICT, WITHOUT ROWID;

CREATE INDEX schedule_run_by_trouble ON schedule_run (at) WHERE trouble IS NOT NULL;

CREATE TABLE schedule_backfill (
  operation TEXT PRIMARY KEY,
  schedule TEXT NOT NULL,
  next_at INTEGER,
  to_at INTEGER NOT NULL,
  per_minute INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX job_open_by_trigger ON job (trigger_id) WHERE trigger_id IS NOT NULL AND finished_at IS NULL;

CREATE TABLE wait (
  task INTEGER PRIMARY KEY,
  job INTEGER NOT NULL,
  replica INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  workflow_id TEXT NOT NULL,
  since INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  approval TEXT
) STRICT;

CREATE INDEX wait_due ON wait (due_at, task);

CREATE INDEX wait_of_job ON wait (job, kind, name, task);

CREATE INDEX wait_of_workflow ON wait (workflow_id, kind, task);

CREATE TABLE signal (
  job INTEGER NOT NULL,
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  replica INTEGER,
  payload TEXT NOT NULL,
  payload_sum INTEGER,
  sent_by TEXT NOT NULL,
  sent_at INTEGER NOT NULL,
  key TEXT,
  task INTEGER,
  PRIMARY KEY (job, number)
) STRICT;

CREATE INDEX signal_kept ON signal (job, name, number) WHERE task IS NULL;

CREATE UNIQUE INDEX signal_by_key ON signal (job, key) WHERE key IS NOT NULL;

CREATE TABLE link_signing (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  key BLOB NOT NULL
) STRICT;

CREATE INDEX approval_of_task ON approval (task) WHERE task IS NOT NULL;

CREATE TABLE workflow_test (
  workflow_id TEXT PRIMARY KEY,
  cases TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL
) STRICT;

CREATE INDEX approval_expiring ON approval (expires_at, id) WHERE status = 'open' AND task IS NULL;

CREATE INDEX approval_counted ON approval (status, workflow_id);

CREATE TABLE webhook (
  id TEXT PRIMARY KEY,
  workflow_id TEXT NOT NULL,
  environment TEXT NOT NULL,
  path TEXT NOT NULL UNIQUE,
  description TEXT,
  -- JSON: how a delivery is verified, without what is secret.
  verify TEXT NOT NULL,
  -- Its secrets, encrypted (JSON: now, and before until when); null: it has none.
  key_id TEXT,
  nonce BLOB,
  box BLOB,
  delivery_id_header TEXT,
  replay TEXT NOT NULL,
  filter TEXT,
  mapping TEXT,
  response TEXT NOT NULL,
  response_mapping TEXT,
  per_second INTEGER,
  enabled INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL
) STRICT;

CREATE INDEX webhook_by_workflow ON webhook (workflow_id, environment);

CREATE TABLE webhook_claim (
  webhook_id TEXT NOT NULL,
  claim TEXT NOT NULL,
  job_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (webhook_id, claim)
) STRICT, WITHOUT ROWID;

CREATE INDEX webhook_claim_by_time ON webhook_claim (webhook_id, at);

CREATE TABLE webhook_delivery (
  id TEXT PRIMARY KEY,
  webhook_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- 1: it was refused before it was verified; such ones push out no others.
  refused INTEGER NOT NULL,
  verdict TEXT NOT NULL,
  status INTEGER NOT NULL,
  code TEXT,
  reason TEXT,
  delivery_id TEXT,
  job_id TEXT,
  method TEXT NOT NULL,
  query TEXT NOT NULL,
  headers TEXT NOT NULL,
  address TEXT,
  size INTEGER NOT NULL,
  key_id TEXT,
  nonce BLOB,
  box BLOB,
  replay_of TEXT
) STRICT;

CREATE INDEX webhook_delivery_by_webhook ON webhook_delivery (webhook_id, refused, id);

CREATE INDEX job_killed ON job (seq) WHERE killed_at IS NOT NULL;

CREATE TABLE version_tag (
  workflow_id TEXT NOT NULL REFERENCES workflow (id),
  tag TEXT NOT NULL,
  hash TEXT NOT NULL REFERENCES version (hash),
  PRIMARY KEY (workflow_id, tag)
) STRICT, WITHOUT ROWID;

CREATE INDEX version_tag_by_hash ON version_tag (hash);

CREATE INDEX task_retried ON task (job, attempt) WHERE attempt > 1;

INSERT INTO project (id, name, masks, created_at, created_by) VALUES ('default', 'Default', '[]', 0, 'yardmaster');

PRAGMA user_version = 52;
