import fc from 'fast-check';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { freshDatabase } from '../../testing/postgres.fixture.ts';
import { joinCluster } from '../postgres/join-cluster.ts';
import * as sql from '../postgres/statements.ts';
import { createPostgres, type Backend } from './postgres.fake.ts';
import { emptyTables, type Tables } from './tables.fake.ts';
import { createWorld } from './world.fixture.ts';

/**
 * The model that simulations run on, held against a real PostgreSQL: the same random statements, alone and while another one is
 * not yet committed, on connections that are cut, have the same answers and leave the same tables.
 */
const RUNS = Number(process.env['YARDMASTER_MODEL_RUNS'] ?? 12);
const SEED = Number(process.env['YARDMASTER_MODEL_SEED'] ?? 20261123);
const HOUR = 3_600_000;
const CONNECTIONS = 3;
/** How long the first of two takes in the model at most: much longer than any other. */
const SLOW_MS = 1000;

type Statement =
  | { do: 'append'; epoch: number; owner: string; first: number; length: number; size: number }
  | { do: 'renew'; epoch: number; owner: string; lease: number }
  | { do: 'offer'; epoch: number; owner: string; to: string }
  | { do: 'takeOver'; epoch: number; owner: string; lease: number; seen: number }
  | { do: 'look' | 'newest' | 'bytes' | 'view' }
  | { do: 'epochAt' | 'entryWith'; turn: number }
  | { do: 'entriesAfter'; turn: number; bytes: number }
  | { do: 'name'; hashes: string[]; text: string }
  | { do: 'statements'; hashes: string[] }
  | { do: 'report'; id: string; role: string; seq: number }
  | { do: 'leave'; id: string }
  | { do: 'beginSnapshot'; epoch: number; turn: number }
  | { do: 'putChunk' | 'chunk'; id: number; index: number }
  | { do: 'endSnapshot'; id: number; chunks: number }
  | { do: 'dropSnapshots' | 'dropEntries'; keep: number };
type Step =
  | { step: 'alone'; by: number; statement: Statement }
  /** The second is sent while the first is not committed; `cut`: whoever sent it is gone by then. */
  | { step: 'both'; first: Statement; second: Statement; cut: boolean }
  | { step: 'cut'; by: number };

/** An answer, or the code of an error; `null`: nobody is there to hear it. */
type Said = { rows: object[] } | { code: string } | null;
interface Both {
  readonly said: [Said, Said];
  /** Whether the second waited for the first to commit; null: the first was too quick for that. */
  readonly waited: boolean | null;
}
interface Side {
  send(by: number, text: string, values: unknown[]): Promise<Said>;
  both(first: [string, unknown[]], second: [string, unknown[]], cut: boolean): Promise<Both>;
  cut(by: number): Promise<void>;
  /** What is committed. */
  state(): Promise<object>;
  /** Texts of renewals that this side has seen, the latest last. */
  readonly renewals: string[];
}

/** The partition as it was looked at: epochs, owners and turns of a statement are counted from there, so that most of them fit. */
interface Seen {
  epoch: number;
  owner: string | null;
  last: number;
}

function fitted(statement: Statement, { epoch, owner, last }: Seen): Statement {
  const one = { ...statement };
  if ('epoch' in one) one.epoch += epoch;
  if ('owner' in one && one.do !== 'takeOver' && one.owner === 'own') one.owner = owner ?? 'a';
  if ('first' in one) one.first += last;
  return one;
}

function textOf(statement: Statement, { renewals }: Side): [string, unknown[]] {
  switch (statement.do) {
    case 'append': {
      const { epoch, owner, first, length, size } = statement;
      return [sql.APPEND, [0, epoch, owner, first, first + length, Buffer.alloc(size, first)]];
    }
    case 'renew':
      return [sql.RENEW, [0, statement.epoch, statement.owner, statement.lease]];
    case 'offer':
      return [sql.OFFER, [0, statement.epoch, statement.owner, statement.to]];
    case 'takeOver': {
      const { epoch, owner, lease, seen } = statement;
      // As it was seen: maybe before another renewal.
      const renewedAt = renewals[Math.max(0, renewals.length - 1 - seen)];
      return [sql.TAKE_OVER, [0, epoch, owner, `http://${owner}`, lease, 'lease expired', renewedAt]];
    }
    case 'look':
      return [sql.LOOK, [0]];
    case 'newest':
      return [sql.SNAPSHOTS, [0]];
    case 'bytes':
      return [sql.BYTES_AFTER_SNAPSHOT, [0]];
    case 'dropEntries':
      return [sql.DROP_ENTRIES, [0, statement.keep]];
    case 'view':
      return [sql.VIEW, [0, 50]];
    case 'epochAt':
      return [sql.EPOCH_AT, [0, statement.turn]];
    case 'entryWith':
      return [sql.ENTRY_WITH, [0, statement.turn]];
    case 'entriesAfter':
      return [sql.ENTRIES_AFTER, [0, statement.turn, statement.bytes]];
    case 'name':
      return [sql.NAME_STATEMENTS, [statement.hashes, statement.hashes.map(() => statement.text)]];
    case 'statements':
      return [sql.STATEMENTS, [statement.hashes]];
    case 'report': {
      const { id, role, seq } = statement;
      return [sql.REPORT, [id, `http://${id}`, role, '1.0.0', seq, 7, 1_790_000_000_000]];
    }
    case 'leave':
      return [sql.LEAVE, [statement.id]];
    case 'beginSnapshot':
      return [sql.BEGIN_SNAPSHOT, [0, statement.epoch, statement.turn, 5, 'a']];
    case 'putChunk':
      return [sql.PUT_SNAPSHOT_CHUNK, [statement.id, statement.index, Buffer.from([statement.id, statement.index])]];
    case 'chunk':
      return [sql.SNAPSHOT_CHUNK, [statement.id, statement.index]];
    case 'endSnapshot':
      return [sql.END_SNAPSHOT, [statement.id, 100, statement.chunks]];
    case 'dropSnapshots':
      return [sql.DROP_SNAPSHOTS, [0, statement.keep]];
  }
}

/** Without what no two clocks agree on; notes renewals. */
function normalized(rows: object[], renewals: string[]): object[] {
  const plain = rows.map((row) => {
    const one: Record<string, unknown> = { ...row };
    delete one['age_ms'];
    if (typeof one['renewed_at'] === 'string') {
      if (renewals.at(-1) !== one['renewed_at']) renewals.push(one['renewed_at']);
      one['renewed_at'] = renewals.lastIndexOf(one['renewed_at']);
    }
    for (const name of ['id', 'first']) if (name in one) one[name] = Number(one[name]);
    if (one['body'] instanceof Uint8Array) one['body'] = Buffer.from(one['body']).toString('hex');
    if ('view' in one) {
      const { masters } = one['view'] as { masters: Record<string, unknown>[] };
      return masters.map(({ id, url, role, seq, lagMs }) => JSON.stringify({ id, url, role, seq, lagMs })).toSorted();
    }
    return one;
  });
  return plain.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

async function realSide(): Promise<Side & { close(): Promise<void> }> {
  const database = await freshDatabase();
  await joinCluster(database.url, 'a key', null);
  const open = async () => {
    const client = new pg.Client({ connectionString: database.url });
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  const clients: pg.Client[] = [];
  for (let i = 0; i < CONNECTIONS; i++) clients.push(await open());
  const watcher = await open();
  const renewals: string[] = [];
  const pidOf = (client: pg.Client) => (client as unknown as { processID: number }).processID;
  const send = (client: pg.Client, text: string, values: unknown[]): Promise<Said> =>
    client.query(text, values).then(
      ({ rows }) => ({ rows: normalized(rows, renewals) }),
      (error: { code?: string }) => (error.code ? { code: error.code } : null),
    );
  const activity = async (client: pg.Client) =>
    (
      await watcher.query<{ state: string; wait_event_type: string | null }>(
        'SELECT state, wait_event_type FROM pg_stat_activity WHERE pid = $1',
        [pidOf(client)],
      )
    ).rows[0];
  async function drop(client: pg.Client): Promise<void> {
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }
  const gone = (client: pg.Client) => vi.waitUntil(async () => (await activity(client)) === undefined, { interval: 2 });
  return {
    renewals,
    send: (by, text, values) => send(clients[by]!, text, values),
    async both(first, second, cut) {
      const [one, other] = [clients[0]!, clients[1]!];
      await one.query('BEGIN');
      const said = await send(one, ...first);
      let done = false;
      const heard = send(other, ...second).finally(() => (done = true));
      // It has ended, or waits for the first.
      await vi.waitUntil(async () => done || (await activity(other))?.wait_event_type === 'Lock', {
        interval: 2,
        timeout: 60_000,
      });
      const waited = !done;
      if (cut) await drop(other);
      await one.query('COMMIT');
      if (!cut) return { said: [said, await heard], waited };
      await heard;
      await gone(other);
      clients[1] = await open();
      return { said: [said, null], waited };
    },
    async cut(by) {
      await drop(clients[by]!);
      await gone(clients[by]!);
      clients[by] = await open();
    },
    async state() {
      const rows = async (text: string) => (await watcher.query<Record<string, unknown>>(text)).rows;
      return {
        partition: await rows('SELECT epoch::int, owner, owner_url, handover_to FROM yardmaster.partition'),
        entries: await rows(
          "SELECT first::int, last::int, epoch::int, encode(body, 'hex') AS body FROM yardmaster.journal_entry ORDER BY first",
        ),
        statements: await rows('SELECT hash, text FROM yardmaster.journal_statement ORDER BY hash'),
        snapshots: await rows(
          `SELECT id::int, epoch::int, turn::int, schema, by, bytes::int, chunks,
             (SELECT coalesce(string_agg(encode(body, 'hex'), ' ' ORDER BY index), '') FROM yardmaster.snapshot_chunk WHERE snapshot = id) AS bodies
           FROM yardmaster.snapshot ORDER BY id`,
        ),
        masters: await rows('SELECT id, url, role, seq::int FROM yardmaster.master ORDER BY id'),
        failovers: await rows(
          'SELECT epoch::int, from_master AS "from", to_master AS "to", reason FROM yardmaster.failover ORDER BY epoch',
        ),
      };
    },
    async close() {
      for (const client of [...clients, watcher]) await client.end().catch(() => {});
      await database.drop();
    },
  };
}

interface ModelSide extends Side {
  state(): Promise<ReturnType<typeof stateOf>>;
}

function modelSide(): ModelSide {
  const world = createWorld(1);
  const heard = { appended: () => {}, tookOver: () => {}, snapshotTaken: () => {} };
  const server = createPostgres(world, emptyTables(heard));
  const backends: Backend[] = Array.from({ length: CONNECTIONS }, () => server.connect(() => {})!);
  const renewals: string[] = [];
  const execute = (by: number, [text, values]: [string, unknown[]]): { said: Said | undefined } => {
    const told: { said: Said | undefined } = { said: undefined };
    backends[by]!.execute(text, values, (answer) => {
      told.said =
        answer instanceof Error
          ? { code: (answer as { code?: string }).code ?? 'none' }
          : { rows: normalized(answer, renewals) };
    });
    return told;
  };
  const all = () => world.run(world.now + 20);
  return {
    renewals,
    async send(by, text, values) {
      const told = execute(by, [text, values]);
      await all();
      return told.said ?? null;
    },
    async both(first, second, cut) {
      // The first takes its time once it has its locks, the second only what it waits for.
      server.slow(SLOW_MS);
      const one = execute(0, first);
      server.slow(0);
      const other = execute(1, second);
      await all();
      const waited = other.said === undefined ? true : one.said === undefined ? false : null;
      if (cut) backends[1]!.hangUp();
      await world.run(world.now + SLOW_MS);
      if (!cut) return { said: [one.said ?? null, other.said ?? null], waited };
      backends[1] = server.connect(() => {})!;
      return { said: [one.said ?? null, null], waited };
    },
    async cut(by) {
      backends[by]!.hangUp();
      backends[by] = server.connect(() => {})!;
    },
    state: () => Promise.resolve(stateOf(server.tables)),
  };
}

const stateOf = ({ partition, entries, statements, snapshots, masters, failovers }: Tables) => ({
  partition: [
    {
      epoch: partition.epoch,
      owner: partition.owner,
      owner_url: partition.ownerUrl,
      handover_to: partition.handoverTo,
    },
  ],
  entries: entries.map(({ first, last, epoch, body }) => ({
    ...{ first, last, epoch },
    body: Buffer.from(body).toString('hex'),
  })),
  statements: [...statements].map(([hash, text]) => ({ hash, text })).toSorted((a, b) => (a.hash < b.hash ? -1 : 1)),
  snapshots: snapshots.map(({ id, epoch, turn, schema, by, bytes, chunks, bodies }) => ({
    ...{ id, epoch, turn, schema, by, bytes, chunks },
    bodies: [...bodies]
      .toSorted(([a], [b]) => a - b)
      .map(([, body]) => Buffer.from(body).toString('hex'))
      .join(' '),
  })),
  masters: [...masters]
    .map(([id, { url, role, seq }]) => ({ id, url, role, seq }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  failovers: failovers.map(({ epoch, from, to, reason }) => ({ epoch, from, to, reason })),
});

const owner = fc.constantFrom('a', 'b');
const epoch = fc.constantFrom(0, 0, 0, 0, -1, 1);
const owning = fc.constantFrom('own', 'own', 'own', 'a');
const turn = fc.integer({ min: 0, max: 9 });
const lease = fc.constantFrom(HOUR, -HOUR);
const hashes = fc.uniqueArray(fc.constantFrom('h1', 'h2', 'h3'), { minLength: 1 });
const snapshot = fc.integer({ min: 1, max: 4 });
const of = <K extends string>(...names: K[]) => fc.constantFrom(...names);
const claims: fc.Arbitrary<Statement> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: of('append'),
      epoch,
      owner: owning,
      first: fc.constantFrom(1, 1, 1, 2, 0, -1),
      length: fc.nat(2),
      size: fc.integer({ min: 1, max: 40 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: of('takeOver'), epoch, owner, lease, seen: fc.constantFrom(0, 0, 0, 1) }) },
  { weight: 2, arbitrary: fc.record({ do: of('renew'), epoch, owner: owning, lease }) },
  { weight: 1, arbitrary: fc.record({ do: of('offer'), epoch, owner: owning, to: owner }) },
);
const others: fc.Arbitrary<Statement> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: of('look', 'newest', 'bytes', 'view') }) },
  fc.record({ do: of('epochAt', 'entryWith'), turn }),
  fc.record({ do: of('entriesAfter'), turn, bytes: fc.integer({ min: 1, max: 100 }) }),
  fc.record({ do: of('name'), hashes, text: fc.constantFrom('SELECT 1', 'SELECT 2') }),
  fc.record({ do: of('statements'), hashes }),
  fc.record({ do: of('report'), id: owner, role: fc.constantFrom('owner', 'standby'), seq: turn }),
  fc.record({ do: of('leave'), id: owner }),
  fc.record({ do: of('beginSnapshot'), epoch, turn }),
  fc.record({ do: of('putChunk', 'chunk'), id: snapshot, index: fc.nat(1) }),
  fc.record({ do: of('endSnapshot'), id: snapshot, chunks: fc.nat(2) }),
  fc.record({ do: of('dropSnapshots', 'dropEntries'), keep: fc.integer({ min: 1, max: 2 }) }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ step: of('alone'), by: fc.nat(CONNECTIONS - 1), statement: fc.oneof(claims, others) }),
  },
  { weight: 5, arbitrary: fc.record({ step: of('both'), first: claims, second: claims, cut: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ step: of('cut'), by: fc.nat(CONNECTIONS - 1) }) },
);

const LOOK: Statement = { do: 'look' };

it('answers and keeps what a real PostgreSQL does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const real = await realSide();
      const model = modelSide();
      try {
        for (const one of steps) {
          for (const side of [real, model]) await side.send(2, ...textOf(LOOK, side));
          const { partition, entries } = await model.state();
          const now = { epoch: partition[0]!.epoch, owner: partition[0]!.owner, last: entries.at(-1)?.last ?? 0 };
          const said: unknown[] = [];
          const waited: (boolean | null)[] = [];
          for (const side of [real, model]) {
            const sent = (statement: Statement) => textOf(fitted(statement, now), side);
            if (one.step === 'cut') said.push(await side.cut(one.by));
            else if (one.step === 'alone') said.push(await side.send(one.by, ...sent(one.statement)));
            else {
              const both = await side.both(sent(one.first), sent(one.second), one.cut);
              said.push(both.said);
              waited.push(both.waited);
            }
          }
          const [realWaited = null, modelWaited = null] = waited;
          expect(said[1], JSON.stringify(one)).toEqual(said[0]);
          if (modelWaited !== null) expect(modelWaited, JSON.stringify(one)).toBe(realWaited);
          const [is, should] = [await model.state(), await real.state()];
          expect(is, JSON.stringify(one)).toEqual(should);
          const [seen, looked] = [
            await model.send(2, ...textOf(LOOK, model)),
            await real.send(2, ...textOf(LOOK, real)),
          ];
          expect(seen, JSON.stringify(one)).toEqual(looked);
        }
      } finally {
        await real.close();
      }
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: process.env['YARDMASTER_MODEL_SHRINK'] !== '1' },
  );
});
