import type { FailoverReason, MasterRole } from '../../../contract/cluster.ts';
import { iso } from '../../../lib/clock.ts';
import * as sql from '../postgres/statements.ts';
import type { Answer, Procedure, Transaction, Wait } from './postgres.fake.ts';
import type { SnapshotRow, Tables } from './tables.fake.ts';

const refused = (code: string, message: string): Error => Object.assign(new Error(message), { code });

/** One that only reads: it sees what is committed as it begins. */
const reads = <Values extends unknown[]>(read: (transaction: Transaction, values: Values) => object[]): Procedure =>
  function* (transaction, values): Generator<Wait, object[], void> {
    const rows = read(transaction, [...values] as Values);
    yield { workMs: 0.3 };
    return rows;
  };

/** One that changes what no other statement waits for. */
const changes = <Values extends unknown[]>(
  change: (transaction: Transaction, values: Values) => Answer | void,
): Procedure =>
  function* (transaction, values): Generator<Wait, Answer, void> {
    yield { workMs: 0.5 };
    return change(transaction, [...values] as Values) ?? [];
  };

/** One that changes the row of the partition where `matches`: it looks again when it has waited for another. */
function updatesPartition(
  lock: 'no key update' | 'update' | null,
  matches: (tables: Tables, values: readonly unknown[]) => boolean,
  change: (transaction: Transaction, values: readonly unknown[]) => { rows: object[]; commit: () => void },
): Procedure {
  return function* (transaction, values): Generator<Wait, object[], void> {
    if (!matches(transaction.tables, values)) return [];
    if (lock !== null) yield { lock };
    if (!matches(transaction.tables, values)) return [];
    const { rows, commit } = change(transaction, values);
    yield { workMs: 0.6 };
    transaction.onCommit(commit);
    return rows;
  };
}

const isOwner = ({ partition }: Tables, [, epoch, owner]: readonly unknown[]) =>
  partition.epoch === epoch && partition.owner === owner;

export const append = (fenced: boolean): Procedure =>
  function* (transaction, values): Generator<Wait, object[] | Error, void> {
    const { tables } = transaction;
    const [, epoch, owner, first, last, body] = values as [number, number, string, number, number, Uint8Array];
    if (fenced) {
      if (!isOwner(tables, values)) return [];
      yield { lock: 'key share' };
      if (!isOwner(tables, values)) return [];
    }
    const at = transaction.clock();
    yield { key: `entry ${first}` };
    if (tables.entries.some((entry) => entry.first === first))
      return refused('23505', 'duplicate key value violates unique constraint "journal_entry_pkey"');
    yield { workMs: 0.6 };
    transaction.onCommit(() => {
      const entry = { first, last, epoch, body, at };
      const after = tables.entries.findIndex((one) => one.first > first);
      tables.entries.splice(after < 0 ? tables.entries.length : after, 0, entry);
      tables.appended(entry, owner);
    });
    return [{ first }];
  };

const renew = updatesPartition('no key update', isOwner, ({ tables, clock, backend }, [, , , leaseMs]) => {
  const at = clock();
  return {
    rows: [{ id: 0 }],
    commit: () =>
      Object.assign(tables.partition, {
        renewedAt: at,
        leaseUntil: at + Number(leaseMs),
        backendPid: backend.pid,
        backendStart: backend.startedAt,
      }),
  };
});

export const takeOver = (nextEpoch: (tables: Tables, reason: string) => number, { waits = true } = {}): Procedure =>
  updatesPartition(
    waits ? 'update' : null,
    ({ partition }, [, epoch, , , , , renewedAt]) =>
      partition.epoch === epoch && String(partition.renewedAt) === renewedAt,
    ({ tables, clock, backend }, [, , owner, ownerUrl, leaseMs, reason]) => {
      const epoch = nextEpoch(tables, String(reason));
      const at = clock();
      const from = tables.partition.owner;
      const row = { epoch, at, from, to: String(owner), reason: reason as FailoverReason };
      return {
        rows: [{ epoch: String(epoch) }],
        commit() {
          Object.assign(tables.partition, {
            ...{ epoch, owner, ownerUrl, handoverTo: null, renewedAt: at },
            leaseUntil: at + Number(leaseMs),
            backendPid: backend.pid,
            backendStart: backend.startedAt,
          });
          tables.failovers.push(row);
          tables.tookOver(row);
        },
      };
    },
  );

const offer = updatesPartition('no key update', isOwner, ({ tables }, [, , , to]) => ({
  rows: [{ id: 0 }],
  commit: () => Object.assign(tables.partition, { handoverTo: to }),
}));

const lastOf = (tables: Tables) => Math.max(tables.entries.at(-1)?.last ?? 0, newest(tables)?.turn ?? 0);
const whole = ({ snapshots }: Tables): SnapshotRow[] => snapshots.filter(({ chunks }) => chunks !== null);
const newest = ({ snapshots }: Tables): SnapshotRow | undefined => snapshots.findLast(({ chunks }) => chunks !== null);
const text = (value: number | null) => (value === null ? null : String(value));

/** The cluster's statements, by their text, as PostgreSQL runs them. */
export const PROCEDURES: ReadonlyMap<string, Procedure> = new Map<string, Procedure>([
  [sql.APPEND, append(true)],
  [
    sql.EPOCH_AT,
    reads(({ tables }, [, first]) =>
      tables.entries.filter((entry) => entry.first === first).map(({ epoch }) => ({ epoch: String(epoch) })),
    ),
  ],
  [
    sql.NAME_STATEMENTS,
    changes(({ tables }, [hashes, texts]: [string[], string[]]) => {
      for (const [i, hash] of hashes.entries())
        if (!tables.statements.has(hash)) tables.statements.set(hash, texts[i] ?? '');
    }),
  ],
  [
    sql.STATEMENTS,
    reads(({ tables }, [hashes]: [string[]]) =>
      hashes.flatMap((hash) => {
        const known = tables.statements.get(hash);
        return known === undefined ? [] : [{ hash, text: known }];
      }),
    ),
  ],
  [
    sql.ENTRIES_AFTER,
    reads(({ tables, clock }, [, turn, bytes]: [number, number, number]) => {
      const from = Math.max(0, ...tables.entries.filter(({ first }) => first <= turn + 1).map(({ first }) => first));
      let before = 0;
      return tables.entries
        .filter(({ first, last }) => last > turn && first >= from)
        .slice(0, 500)
        .filter(({ body }) => {
          const fits = before < bytes;
          before += body.length;
          return fits;
        })
        .map(({ first, last, epoch, body, at }) => ({
          ...{ first: String(first), last: String(last), epoch: String(epoch), body },
          age_ms: clock() - at,
        }));
    }),
  ],
  [
    sql.ENTRY_WITH,
    reads(({ tables }, [, turn]: [number, number]) =>
      tables.entries
        .filter(({ first, last }) => first <= turn && last >= turn)
        .slice(-1)
        .map(({ first, last, epoch }) => ({ first: String(first), last: String(last), epoch: String(epoch) })),
    ),
  ],
  [
    sql.LOOK,
    reads(({ tables, clock }) => {
      const { partition, backends } = tables;
      return [
        {
          epoch: String(partition.epoch),
          owner: partition.owner,
          owner_url: partition.ownerUrl,
          handover_to: partition.handoverTo,
          expired: partition.leaseUntil < clock(),
          renewed_at: String(partition.renewedAt),
          gone: partition.backendPid === null || backends.get(partition.backendPid) !== partition.backendStart,
          last: text(lastOf(tables)),
        },
      ];
    }),
  ],
  [sql.RENEW, renew],
  [sql.TAKE_OVER, takeOver(({ partition }) => partition.epoch + 1)],
  [sql.OFFER, offer],
  [sql.SERVED, changes(() => {})],
  [
    sql.REPORT,
    changes(
      ({ tables, clock }, [id, url, role, , seq, lagMs]: [string, string, MasterRole, string, number, number]) => {
        tables.masters.set(id, { url, role, seq, lagMs, lastSeenAt: clock() });
        return [...tables.masters].flatMap(([other, row]) =>
          other !== id && row.lastSeenAt > clock() - 60_000 ? [{ url: row.url }] : [],
        );
      },
    ),
  ],
  [sql.LEAVE, changes(({ tables }, [id]: [string]) => void tables.masters.delete(id))],
  [
    sql.VIEW,
    reads(({ tables, clock }) => [
      {
        view: {
          now: iso(clock()),
          clusterId: 'simulated',
          partitions: [],
          failovers: [],
          journal: null,
          masters: [...tables.masters].map(([id, { lastSeenAt, ...row }]) => ({
            id,
            ...row,
            lagMs: row.role === 'owner' ? 0 : row.lagMs,
            lastSeenAt: iso(lastSeenAt),
          })),
        },
      },
    ]),
  ],
  [
    sql.SNAPSHOTS,
    reads(({ tables }) =>
      whole(tables)
        .toSorted((a, b) => b.turn - a.turn || b.id - a.id)
        .map(({ id, epoch, turn, schema, bytes, chunks }) => ({
          ...{ id: String(id), epoch: String(epoch), turn: String(turn), schema: String(schema) },
          ...{ bytes: text(bytes), chunks: text(chunks) },
        })),
    ),
  ],
  [
    sql.SNAPSHOT_CHUNK,
    reads(({ tables }, [id, index]: [number, number]) => {
      const body = tables.snapshots.find((row) => row.id === id)?.bodies.get(index);
      return body ? [{ body }] : [];
    }),
  ],
  [
    sql.BEGIN_SNAPSHOT,
    changes(({ tables, clock }, [, epoch, turn, schema, by]: [number, number, number, number, string]) => {
      const id = tables.nextSnapshot++;
      tables.snapshots.push({
        ...{ id, epoch, turn, schema, by, at: clock() },
        bytes: null,
        chunks: null,
        bodies: new Map(),
      });
      return [{ id: String(id) }];
    }),
  ],
  [
    sql.PUT_SNAPSHOT_CHUNK,
    changes(({ tables }, [id, index, body]: [number, number, Uint8Array]) => {
      const bodies = tables.snapshots.find((row) => row.id === id)?.bodies;
      if (bodies === undefined) return refused('23503', 'a chunk of a snapshot that is not there');
      if (bodies.has(index)) return refused('23505', 'this chunk is there already');
      bodies.set(index, body);
    }),
  ],
  [
    sql.END_SNAPSHOT,
    changes(({ tables }, [id, bytes, chunks]: [number, number, number]) => {
      const row = tables.snapshots.find((one) => one.id === id);
      if (row) tables.snapshotTaken(Object.assign(row, { bytes, chunks }));
    }),
  ],
  [
    sql.BYTES_AFTER_SNAPSHOT,
    reads(({ tables }) => {
      const turn = newest(tables)?.turn ?? 0;
      const bytes = tables.entries.reduce((sum, { first, body }) => sum + (first > turn ? body.length : 0), 0);
      return [{ bytes: String(bytes) }];
    }),
  ],
  [
    sql.DROP_SNAPSHOTS,
    changes(({ tables, clock }, [, keep]: [number, number]) => {
      const kept = whole(tables).slice(-keep);
      const oldest = kept[0]?.id ?? 0;
      tables.snapshots = tables.snapshots.filter(
        ({ id, chunks, at }) => id >= oldest && (chunks !== null || at >= clock() - 3_600_000),
      );
    }),
  ],
  [
    sql.DROP_ENTRIES,
    changes(({ tables }, [, keep]: [number, number]) => {
      const turns = whole(tables).map(({ turn }) => turn);
      if (turns.length >= keep) tables.entries = tables.entries.filter(({ last }) => last > Math.min(...turns));
    }),
  ],
]);
