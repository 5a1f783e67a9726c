import { LEASE_MS } from '../ownership.ts';
import type { ClusterRows, JournalDatabase } from '../journal/port.ts';
import type { ClusterTime } from '../time.ts';
import { createConnection, type Dial } from './connection.ts';
import { SCHEMA } from './schema.ts';
import * as sql from './statements.ts';
import { STRANGERS, warningsOf, type Stranger } from './strangers.ts';

/** Failovers that a view shows. */
const FAILOVERS = 50;
const LARGE_MS = 60_000;
/** Where a snapshot has sums of its chunks: before the first of them, which no restore asks for. */
const SUMS = -1;

interface OwnershipRow {
  epoch: string;
  owner: string | null;
  owner_url: string | null;
  expired: boolean;
  renewed_at: string;
  gone: boolean;
  handover_to: string | null;
  last: string | null;
}
interface EntryRow {
  first: string;
  last: string;
  epoch: string;
  body: Buffer;
  age_ms: number;
}

/** The cluster's tables in PostgreSQL, for one partition. Appends have a connection of their own, so that nothing waits behind them. */
export function openJournalDatabase(dial: Dial, time: ClusterTime, partition: number): JournalDatabase {
  const appends = createConnection(dial, time);
  const control = createConnection(dial, time, 2000);
  /** Snapshots and reads of many entries: what may take long. */
  const bulk = createConnection(dial, time, LARGE_MS);

  const changed = async (text: string, values: readonly unknown[]) => (await control.query(text, values)).length > 0;

  return {
    append: async (owner, { first, last, epoch, body }) =>
      (await appends.query(sql.APPEND, [partition, epoch, owner, first, last, bytea(body)])).length > 0,
    async epochAt(first) {
      const [row] = await appends.query<{ epoch: string }>(sql.EPOCH_AT, [partition, first]);
      return row ? Number(row.epoch) : null;
    },
    async nameStatements(statements) {
      await appends.query(sql.NAME_STATEMENTS, [
        statements.map(({ hash }) => hash),
        statements.map(({ text }) => text),
      ]);
    },
    async restoreStatements(statements) {
      const rows = await bulk.query<{ hash: string }>(sql.RESTORE_STATEMENTS, [
        statements.map(({ hash }) => hash),
        statements.map(({ text }) => text),
      ]);
      return rows.map(({ hash }) => hash);
    },
    statements: (hashes) => bulk.query(sql.STATEMENTS, [hashes]),
    async entriesAfter(turn, bytes) {
      const rows = await bulk.query<EntryRow>(sql.ENTRIES_AFTER, [partition, turn, bytes]);
      return rows.map(({ first, last, epoch, body, age_ms }) => ({
        first: Number(first),
        last: Number(last),
        epoch: Number(epoch),
        body,
        ageMs: age_ms,
      }));
    },
    async gaps() {
      const [row] = await bulk.query<{ snapshot: string; last: string; gaps: { from: number; to: number }[] }>(
        sql.GAPS,
        [partition],
      );
      return { snapshot: Number(row?.snapshot ?? 0), last: Number(row?.last ?? 0), gaps: row?.gaps ?? [] };
    },
    async sumOfEntries(from, to) {
      const [row] = await bulk.query<{ snapshot: string; entries: string; sum: string | null }>(sql.SUM_OF_ENTRIES, [
        partition,
        from,
        to,
      ]);
      return { snapshot: Number(row?.snapshot ?? 0), entries: Number(row?.entries ?? 0), sum: row?.sum ?? null };
    },
    async entryWith(turn) {
      const [row] = await bulk.query<EntryRow>(sql.ENTRY_WITH, [partition, turn]);
      return row ? { first: Number(row.first), last: Number(row.last), epoch: Number(row.epoch) } : null;
    },

    async look() {
      const [row] = await control.query<OwnershipRow>(sql.LOOK, [partition]);
      if (!row) throw new Error(`the table yardmaster.partition has no row ${partition}`);
      return {
        epoch: Number(row.epoch),
        owner: row.owner,
        ownerUrl: row.owner_url,
        expired: row.expired,
        renewedAt: row.renewed_at,
        gone: row.gone,
        handoverTo: row.handover_to,
        last: Number(row.last ?? 0),
      };
    },
    renew: (owner, epoch) => changed(sql.RENEW, [partition, epoch, owner, LEASE_MS]),
    async takeOver(owner, url, seen, reason) {
      const [row] = await control.query<{ epoch: string }>(
        sql.TAKE_OVER,
        [partition, seen.epoch, owner, url, LEASE_MS, reason, seen.renewedAt],
        LARGE_MS,
      );
      return row ? Number(row.epoch) : null;
    },
    offer: (owner, epoch, to) => changed(sql.OFFER, [partition, epoch, owner, to]),
    async served(epoch) {
      await control.query(sql.SERVED, [partition, epoch]);
    },

    async report({ id, url, role, version, seq, lagMs, startedAt }) {
      const others = await control.query<{ url: string }>(sql.REPORT, [
        ...[id, url, role, version],
        ...[seq, lagMs, startedAt],
      ]);
      return others.map((other) => other.url);
    },
    async leave(id) {
      await control.query(sql.LEAVE, [id]);
    },
    async view() {
      const [row] = await control.query<{ view: ClusterRows }>(sql.VIEW, [partition, FAILOVERS]);
      if (!row) throw new Error('the table yardmaster.cluster has no row');
      return row.view;
    },

    async warnings() {
      return warningsOf(await bulk.query<{ [K in keyof Stranger]: Stranger[K] }>(STRANGERS, [SCHEMA]), SCHEMA);
    },

    async snapshots() {
      const rows = await bulk.query<Record<'id' | 'epoch' | 'turn' | 'schema' | 'bytes' | 'chunks', string>>(
        sql.SNAPSHOTS,
        [partition],
      );
      return rows.map((row) => ({
        id: Number(row.id),
        epoch: Number(row.epoch),
        turn: Number(row.turn),
        schema: Number(row.schema),
        bytes: Number(row.bytes),
        chunks: Number(row.chunks),
      }));
    },
    async snapshotChunk(id, index) {
      const [row] = await bulk.query<{ body: Buffer }>(sql.SNAPSHOT_CHUNK, [id, index]);
      if (!row)
        throw new Error(
          `the snapshot ${id} lacks its chunk ${index}: where other masters keep snapshots in a folder or a bucket, start this one with the same --snapshots`,
        );
      return row.body;
    },
    async snapshotSums(id) {
      const [row] = await bulk.query<{ body: Buffer }>(sql.SNAPSHOT_CHUNK, [id, SUMS]);
      return row?.body ?? null;
    },
    async putSnapshotSums(id, sums) {
      await bulk.query(sql.PUT_SNAPSHOT_CHUNK, [id, SUMS, bytea(sums)]);
    },
    async beginSnapshot({ epoch, turn }, schema, by) {
      const [row] = await bulk.query<{ id: string }>(sql.BEGIN_SNAPSHOT, [partition, epoch, turn, schema, by]);
      return Number(row?.id);
    },
    async putSnapshotChunk(id, index, body) {
      await bulk.query(sql.PUT_SNAPSHOT_CHUNK, [id, index, bytea(body)]);
    },
    async endSnapshot(id, bytes, chunks) {
      await bulk.query(sql.END_SNAPSHOT, [id, bytes, chunks]);
    },
    async snapshotIds() {
      const rows = await bulk.query<{ id: string }>(sql.SNAPSHOT_IDS, [partition]);
      return rows.map(({ id }) => Number(id));
    },
    async bytesAfterSnapshot() {
      const [row] = await bulk.query<{ bytes: string }>(sql.BYTES_AFTER_SNAPSHOT, [partition]);
      return Number(row?.bytes ?? 0);
    },
    async trim(keep) {
      await bulk.query(sql.DROP_SNAPSHOTS, [partition, keep]);
      await bulk.query(sql.DROP_ENTRIES, [partition, keep]);
    },
    async close() {
      await Promise.all([appends.close(), control.close(), bulk.close()]);
    },
  };
}

/** The driver sends a Buffer as bytes, another view as text. */
const bytea = (body: Uint8Array): Buffer => Buffer.from(body.buffer, body.byteOffset, body.byteLength);
