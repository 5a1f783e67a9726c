/** What is sent to PostgreSQL 13 and later. Each is one statement, so it holds behind a pooler too. $1 is the partition. */

/** The fence: a takeover changes the key (id, epoch), so it waits for this, and this finds nothing after it. */
export const APPEND = `
WITH owned AS (SELECT id FROM yardmaster.partition WHERE id = $1 AND epoch = $2 AND owner = $3 FOR KEY SHARE)
INSERT INTO yardmaster.journal_entry (partition, first, last, epoch, body)
SELECT id, $4, $5, $2, $6 FROM owned RETURNING first`;

export const EPOCH_AT = 'SELECT epoch FROM yardmaster.journal_entry WHERE partition = $1 AND first = $2';

export const NAME_STATEMENTS =
  'INSERT INTO yardmaster.journal_statement (hash, text) SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING';

export const RESTORE_STATEMENTS = `
INSERT INTO yardmaster.journal_statement AS known (hash, text) SELECT * FROM unnest($1::text[], $2::text[])
ON CONFLICT (hash) DO UPDATE SET text = excluded.text WHERE known.text <> excluded.text RETURNING hash`;

export const STATEMENTS = 'SELECT hash, text FROM yardmaster.journal_statement WHERE hash = ANY ($1)';

/** The entry that holds the turn after $2 comes first; at least one, and no more once $3 bytes are reached. */
export const ENTRIES_AFTER = `
SELECT first, last, epoch, body, extract(epoch FROM clock_timestamp() - at)::float8 * 1000 AS age_ms
FROM (
  SELECT first, last, epoch, body, at, sum(length(body)) OVER (ORDER BY first) - length(body) AS before
  FROM (
    SELECT * FROM yardmaster.journal_entry
    WHERE partition = $1 AND last > $2 AND first >= coalesce(
      (SELECT max(first) FROM yardmaster.journal_entry WHERE partition = $1 AND first <= $2 + 1), 0)
    ORDER BY first LIMIT 500
  ) following
) sized WHERE before < $3 ORDER BY first`;

export const ENTRY_WITH = `
SELECT first, last, epoch FROM yardmaster.journal_entry
WHERE partition = $1 AND first <= $2 AND last >= $2 ORDER BY first DESC LIMIT 1`;

const NEWEST_SNAPSHOT = `coalesce(
    (SELECT max(turn) FROM yardmaster.snapshot WHERE partition = $1 AND chunks IS NOT NULL), 0)`;

/** Turns that no entry holds, behind the newest snapshot. Reads no body. */
export const GAPS = `
WITH newest AS (SELECT ${NEWEST_SNAPSHOT} AS turn),
following AS (
  SELECT first, last, lag(last, 1, (SELECT turn FROM newest)) OVER (ORDER BY first) AS before
  FROM yardmaster.journal_entry WHERE partition = $1 AND last > (SELECT turn FROM newest)
)
SELECT turn AS snapshot, coalesce((SELECT max(last) FROM following), turn) AS last,
  (SELECT coalesce(json_agg(json_build_object('from', before + 1, 'to', first - 1)), '[]') FROM (
    SELECT before, first FROM following WHERE first > before + 1 ORDER BY first LIMIT 20) gap) AS gaps
FROM newest`;

export const SUM_OF_ENTRIES = `
SELECT ${NEWEST_SNAPSHOT} AS snapshot, count(*) AS entries,
  encode(sha256(string_agg(int8send(first) || int8send(last) || int8send(epoch) || sha256(body), ''::bytea ORDER BY first)), 'hex') AS sum
FROM yardmaster.journal_entry WHERE partition = $1 AND first BETWEEN $2 AND $3`;

/** Also where snapshots made all entries dispensable: what a snapshot holds is no less of the journal. */
const LAST_TURN = `greatest(
    (SELECT last FROM yardmaster.journal_entry j WHERE j.partition = p.id ORDER BY first DESC LIMIT 1),
    (SELECT max(turn) FROM yardmaster.snapshot s WHERE s.partition = p.id AND chunks IS NOT NULL), 0)`;

export const LOOK = `
SELECT epoch, owner, owner_url, handover_to,
  lease_until < clock_timestamp() AS expired,
  renewed_at::text AS renewed_at,
  NOT EXISTS (
    SELECT 1 FROM pg_stat_activity a WHERE a.pid = p.backend_pid AND a.backend_start = p.backend_start
  ) AS gone,
  ${LAST_TURN} AS last
FROM yardmaster.partition p WHERE id = $1`;

const BACKEND = `backend_pid = pg_backend_pid(),
  backend_start = (SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid())`;

export const RENEW = `
UPDATE yardmaster.partition SET renewed_at = clock_timestamp(),
  lease_until = clock_timestamp() + $4 * interval '1 millisecond', ${BACKEND}
WHERE id = $1 AND epoch = $2 AND owner = $3 RETURNING id`;

/** Not where the owner has renewed since $7: it may speak from memory for a moment after each renewal. */
export const TAKE_OVER = `
WITH before AS (SELECT id, owner, renewed_at FROM yardmaster.partition WHERE id = $1),
taken AS (
  UPDATE yardmaster.partition SET epoch = epoch + 1, owner = $3, owner_url = $4, handover_to = NULL,
    renewed_at = clock_timestamp(), lease_until = clock_timestamp() + $5 * interval '1 millisecond', ${BACKEND}
  WHERE id = $1 AND epoch = $2 AND renewed_at = $7::timestamptz RETURNING id, epoch
)
INSERT INTO yardmaster.failover (partition, epoch, from_master, to_master, reason, last_sign_at)
SELECT taken.id, taken.epoch, before.owner, $3, $6, before.renewed_at FROM taken JOIN before USING (id) RETURNING epoch`;

export const OFFER = `
UPDATE yardmaster.partition SET handover_to = $4 WHERE id = $1 AND epoch = $2 AND owner = $3 RETURNING id`;

export const SERVED = `
UPDATE yardmaster.failover SET gap_ms = extract(epoch FROM clock_timestamp() - last_sign_at) * 1000
WHERE partition = $1 AND epoch = $2 AND gap_ms IS NULL`;

export const REPORT = `
WITH me AS (
INSERT INTO yardmaster.master (id, url, role, version, seq, lag_ms, started_at, last_seen_at)
VALUES ($1, $2, $3, $4, $5, $6, to_timestamp($7::float8 / 1000), clock_timestamp())
ON CONFLICT (id) DO UPDATE SET url = excluded.url, role = excluded.role, version = excluded.version, seq = excluded.seq,
  lag_ms = excluded.lag_ms, started_at = excluded.started_at, last_seen_at = excluded.last_seen_at)
SELECT url FROM yardmaster.master WHERE id <> $1 AND last_seen_at > clock_timestamp() - interval '1 minute'`;

export const LEAVE = 'DELETE FROM yardmaster.master WHERE id = $1';

const instant = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
/** A master that was not heard of for so long is shown no more. */
const FORGOTTEN = `interval '1 hour'`;

export const VIEW = `
SELECT json_build_object(
  'now', ${instant('clock_timestamp()')},
  'clusterId', (SELECT id FROM yardmaster.cluster),
  'partitions', (SELECT json_agg(json_build_object('id', p.id, 'epoch', p.epoch,
      'owner', CASE WHEN lease_until < clock_timestamp() THEN NULL ELSE owner END,
      'seq', ${LAST_TURN}) ORDER BY p.id)
    FROM yardmaster.partition p),
  'masters', (SELECT coalesce(json_agg(json_build_object('id', id, 'url', url, 'role', role, 'version', version, 'seq', seq,
      'lagMs', CASE WHEN role = 'owner' THEN 0 ELSE lag_ms END,
      'startedAt', ${instant('started_at')}, 'lastSeenAt', ${instant('last_seen_at')}) ORDER BY started_at, id), '[]')
    FROM yardmaster.master WHERE last_seen_at > clock_timestamp() - ${FORGOTTEN}),
  'failovers', (SELECT coalesce(json_agg(json_build_object('at', ${instant('at')}, 'from', from_master, 'to', to_master,
      'reason', reason, 'epoch', epoch, 'gapMs', coalesce(gap_ms, 0)) ORDER BY epoch DESC), '[]')
    FROM (SELECT * FROM yardmaster.failover WHERE partition = $1 ORDER BY epoch DESC LIMIT $2) f),
  'journal', (SELECT json_build_object(
      'entries', (SELECT count(*) FROM yardmaster.journal_entry WHERE partition = $1),
      'bytes', (SELECT coalesce(sum(length(body)), 0) FROM yardmaster.journal_entry WHERE partition = $1),
      'appendMs', NULL,
      'snapshots', (SELECT coalesce(json_agg(json_build_object('seq', turn, 'at', ${instant('at')}, 'bytes', bytes, 'by', by) ORDER BY id DESC), '[]')
        FROM yardmaster.snapshot WHERE partition = $1 AND chunks IS NOT NULL)))
) AS view`;

export const SNAPSHOTS = `
SELECT id, epoch, turn, schema, bytes, chunks FROM yardmaster.snapshot
WHERE partition = $1 AND chunks IS NOT NULL ORDER BY turn DESC, id DESC`;

export const SNAPSHOT_CHUNK = 'SELECT body FROM yardmaster.snapshot_chunk WHERE snapshot = $1 AND index = $2';

export const BEGIN_SNAPSHOT =
  'INSERT INTO yardmaster.snapshot (partition, epoch, turn, schema, by) VALUES ($1, $2, $3, $4, $5) RETURNING id';

export const PUT_SNAPSHOT_CHUNK = 'INSERT INTO yardmaster.snapshot_chunk (snapshot, index, body) VALUES ($1, $2, $3)';

export const END_SNAPSHOT = 'UPDATE yardmaster.snapshot SET bytes = $2, chunks = $3 WHERE id = $1';

export const SNAPSHOT_IDS = 'SELECT id FROM yardmaster.snapshot WHERE partition = $1';

export const BYTES_AFTER_SNAPSHOT = `
SELECT coalesce(sum(length(body)), 0) AS bytes FROM yardmaster.journal_entry
WHERE partition = $1 AND first > coalesce(
  (SELECT turn FROM yardmaster.snapshot WHERE partition = $1 AND chunks IS NOT NULL ORDER BY id DESC LIMIT 1), 0)`;

/** Also what a master that died left half-made. */
export const DROP_SNAPSHOTS = `
DELETE FROM yardmaster.snapshot WHERE partition = $1 AND (
  id < (SELECT min(id) FROM (
    SELECT id FROM yardmaster.snapshot WHERE partition = $1 AND chunks IS NOT NULL ORDER BY id DESC LIMIT $2) kept)
  OR (chunks IS NULL AND at < clock_timestamp() - interval '1 hour'))`;

/** Nothing until there are $2 snapshots: where one of them turns out to be damaged, the journal still reaches back to what was before it. */
export const DROP_ENTRIES = `
DELETE FROM yardmaster.journal_entry WHERE partition = $1 AND last <= (
  SELECT min(turn) FROM yardmaster.snapshot WHERE partition = $1 AND chunks IS NOT NULL HAVING count(*) >= $2)`;

/** Whether the database was ever owned, or is about to be; $1: the partition. */
export const USE_OF_STORE = `
SELECT epoch,
  EXISTS (SELECT 1 FROM yardmaster.journal_entry WHERE partition = $1) AS entries,
  EXISTS (SELECT 1 FROM yardmaster.snapshot WHERE partition = $1 AND chunks IS NOT NULL) AS copied,
  (SELECT count(*) FROM yardmaster.master WHERE last_seen_at > clock_timestamp() - interval '5 seconds') AS masters
FROM yardmaster.partition WHERE id = $1`;

/** A partition that nobody has owned gets its first epoch without an owner: whoever saw it empty takes over in vain. */
export const CLAIM_EMPTY = `
UPDATE yardmaster.partition SET epoch = $2 WHERE id = $1 AND epoch = 0 AND owner IS NULL
  AND NOT EXISTS (SELECT 1 FROM yardmaster.journal_entry WHERE partition = $1)`;

/** What an attempt to copy a store left. */
export const DROP_ALL_SNAPSHOTS = 'DELETE FROM yardmaster.snapshot WHERE partition = $1';

export const DROP_SNAPSHOT = 'DELETE FROM yardmaster.snapshot WHERE id = $1';
