import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProjectionExtra } from '../../../contract/vocabulary.ts';
import { query } from '../../testing/postgres.fixture.ts';
import { dialPostgres } from '../postgres/dial-postgres.ts';
import { configOf } from '../postgres/store-url.ts';
import { historyLine } from '../../state-machines/task-history.ts';
import { copyInThread } from '../replica/copy-in-thread.ts';
import { startJournal, type JournalRig, type OwnedStore } from '../testing.fixture.ts';
import { systemTime } from '../time.ts';
import { attemptsOf, type TaskOfAttempts } from './attempts.ts';
import { projectionTables, type ProjectionTables } from './projection-tables.ts';
import { startProjector, type Projector } from './projector.ts';
import { ATTEMPT_TABLE, PROJECTED_TABLES } from './tables.ts';
import { createTransactions } from './transactions.ts';

const NOW = 1_790_000_000_000;
/** A test does not wait as long as a master does. */
const quick = { after: (ms: number, run: () => void) => systemTime().after(ms / 50, run) };

let rig: JournalRig;
let owner: OwnedStore;
let tables: ProjectionTables;
let closing: (() => unknown)[];
beforeEach(async () => {
  closing = [];
  rig = await startJournal();
  owner = await rig.own('a', rig.file());
  tables = connect();
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  await rig.close();
});

function connect(url = rig.url): ProjectionTables {
  const transactions = createTransactions(dialPostgres(configOf(url)), systemTime());
  closing.push(() => transactions.close());
  return projectionTables(transactions, (line) => void rig.log.push(line));
}

/** What goes wrong at the next write: nothing of it gets there, or it does and the projector does not learn of it. */
type Trouble = 'before' | 'after' | 'unnoted' | null;
let trouble: Trouble = null;
function hit(...kinds: Trouble[]): void {
  if (!kinds.includes(trouble)) return;
  trouble = null;
  throw new Error('it was cut off');
}

function project(file: string, extras: readonly ProjectionExtra[] = ['messages', 'labels'], url = rig.url): Projector {
  const own = connect(url);
  const projector = startProjector({
    id: file,
    extras,
    database: rig.connect(),
    role: () => 'standby',
    time: quick,
    log: (line) => void rig.log.push(line),
    tables: {
      ...own,
      async write(...given) {
        hit('before');
        await own.write(...given);
        hit('after');
      },
    },
    openCopy() {
      const copy = copyInThread(file, true);
      return {
        ...copy,
        async written(upTo) {
          hit('unnoted');
          await copy.written(upTo);
        },
      };
    },
  });
  closing.push(() => projector.close());
  return projector;
}

async function settled(): Promise<void> {
  const { last } = await rig.connect().look();
  await vi.waitUntil(
    async () => {
      const status = await tables.status().catch(() => null);
      return status !== null && status.turn >= last && !status.wanted;
    },
    { interval: 20 },
  );
}

/** Both, with times in milliseconds. */
async function rowsOfBoth(extras: readonly ProjectionExtra[] = ['messages', 'labels']) {
  const db = new Database(owner.store.file, { readonly: true });
  const sqlite: Record<string, unknown[]> = {};
  const postgres: Record<string, unknown[]> = {};
  for (const { name, key, columns } of PROJECTED_TABLES) {
    const times = columns.filter(({ type }) => type === 'time').map((column) => column.name);
    const hidden = columns.filter(({ only }) => only !== undefined && !extras.includes(only)).map((one) => one.name);
    sqlite[name] = db
      .prepare<[], Record<string, unknown>>(
        `SELECT ${columns.map((column) => column.name).join(', ')} FROM ${name} ORDER BY ${key}`,
      )
      .all()
      .map((row) => ({
        ...row,
        ...Object.fromEntries(hidden.map((column) => [column, null])),
        ...('labels' in row && !hidden.includes('labels')
          ? { labels: row['labels'] === null ? null : JSON.parse(String(row['labels'])) }
          : {}),
        ...('error_retryable' in row
          ? { error_retryable: row['error_retryable'] === null ? null : row['error_retryable'] === 1 }
          : {}),
      }));
    const rows = await query<{ row: Record<string, unknown> }>(
      rig.url,
      `SELECT to_jsonb(t) AS row FROM yardmaster_sql.${name} t ORDER BY ${key} COLLATE "C"`.replace(
        key === 'seq' ? ' COLLATE "C"' : '',
        '',
      ),
    );
    postgres[name] = rows.map(({ row }) => ({
      ...row,
      ...Object.fromEntries(
        times.map((column) => [column, row[column] === null ? null : Date.parse(String(row[column]))]),
      ),
    }));
  }
  const tasks = db.prepare<[], TaskOfAttempts>('SELECT * FROM task ORDER BY seq').all();
  sqlite['attempt'] = tasks.flatMap(attemptsOf).map((row) => ({
    ...row,
    error_retryable: row.error_retryable === null ? null : row.error_retryable === 1,
    ...(extras.includes('messages') ? {} : { error_message: null }),
  }));
  const attempts = await query<{ row: Record<string, unknown> }>(
    rig.url,
    'SELECT to_jsonb(a) AS row FROM yardmaster_sql.attempt a ORDER BY task, attempt',
  );
  const instants = ATTEMPT_TABLE.columns.filter(({ type }) => type === 'time').map(({ name }) => name);
  postgres['attempt'] = attempts.map(({ row }) => ({
    ...row,
    ...Object.fromEntries(
      instants.map((column) => [column, row[column] === null ? null : Date.parse(String(row[column]))]),
    ),
  }));
  db.close();
  return { sqlite, postgres };
}
async function expectSame(): Promise<void> {
  const { sqlite, postgres } = await rowsOfBoth();
  expect(postgres).toEqual(sqlite);
}

type Change =
  | { do: 'job' | 'task' | 'replaceTask'; seq: number; text: string; at: number }
  | { do: 'end'; seq: number; text: string }
  | { do: 'drop'; seq: number }
  | { do: 'dropTasks'; job: number }
  | { do: 'workflow' | 'publication' | 'version'; id: number; text: string };

const JOB =
  "INSERT INTO job (seq, id, external_id, workflow_id, environment, commit_hash, kind, response, input_count, created_at, updated_at, ready, status, labels) VALUES (?, ?, ?, 'w', 'dev', 'c', 'event', 'sync', 1, ?, ?, 1, 'RUNNING', ?) ON CONFLICT (seq) DO UPDATE SET updated_at = excluded.updated_at, labels = excluded.labels";
const TASK = (verb: string) =>
  `INSERT ${verb} INTO task (seq, id, job, node, type, replica, state, attempt, retry_count, ready_at, ready_deadline, error_message, error_retryable, history) VALUES (?, ?, ?, 'n', 'code', 0, 'READY', 1, 0, ?, 9007199254740991, ?, ?, '${historyLine(null, 'READY', NOW, 1, null, 'made').trimEnd()}')`;

function apply(db: Parameters<Parameters<OwnedStore['store']['write']>[0]>[0], change: Change): void {
  const run = (sql: string, ...args: (string | number | null)[]) => void db.statement(sql).run(...args);
  switch (change.do) {
    case 'job':
      return run(
        JOB,
        change.seq,
        `j${change.seq}`,
        change.text,
        NOW,
        change.at,
        JSON.stringify({ [change.text]: 'x' }),
      );
    case 'task':
      return run(
        TASK('OR IGNORE'),
        change.seq,
        `t${change.seq}`,
        change.seq % 7,
        change.at,
        change.text,
        change.seq % 2,
      );
    case 'replaceTask':
      // Takes the row that has this ID away, whatever its number is.
      return run(TASK('OR REPLACE'), change.seq, `t${change.seq % 5}`, 3, change.at, change.text, null);
    case 'end':
      return run(
        "UPDATE job SET ready = 0, completed = 1, status = 'COMPLETED', finished_at = ?, failure_message = ? WHERE seq = ?",
        NOW + 5,
        change.text,
        change.seq,
      );
    case 'drop':
      return run('DELETE FROM job WHERE seq = ?', change.seq);
    case 'dropTasks':
      return run('DELETE FROM task WHERE job = ?', change.job);
    case 'workflow':
      return run(
        'INSERT INTO workflow (id, name, description, created_at, updated_at) VALUES (?, ?, NULL, 1, 1) ON CONFLICT (id) DO UPDATE SET name = excluded.name',
        `w${change.id}`,
        change.text,
      );
    case 'publication':
      return run(
        "INSERT OR REPLACE INTO publication (id, workflow_id, environment, description, published_at, published_by) VALUES (?, 'w0', 'dev', ?, 1, 'me')",
        `p${change.id}`,
        change.text,
      );
    case 'version':
      db.statement("INSERT OR IGNORE INTO definition (blob, text) VALUES ('b', '{}')").run();
      return run(
        "INSERT OR IGNORE INTO version (seq, hash, workflow_id, blob, message, author_name, author_email, created_at, faults) VALUES (?, ?, 'w0', 'b', ?, 'me', 'me@example.org', 1, '[]')",
        change.id + 1,
        `h${change.id}`,
        change.text,
      );
  }
}

const seq = fc.integer({ min: 1, max: 12 });
const id = fc.integer({ min: 0, max: 3 });
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom("it's", '\\', '\\u0000', '{"a":1}', 'ünïcode 🚆', '\n\t'),
  )
  .map((one) => one.replaceAll('\0', '').toWellFormed());
const at = fc.integer({ min: NOW, max: NOW + 1e9 });
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ do: fc.constantFrom('job' as const, 'task' as const, 'replaceTask' as const), seq, text, at }),
  fc.record({ do: fc.constant('end' as const), seq, text }),
  fc.record({ do: fc.constant('drop' as const), seq }),
  fc.record({ do: fc.constant('dropTasks' as const), job: seq }),
  fc.record({ do: fc.constantFrom('workflow' as const, 'publication' as const, 'version' as const), id, text }),
);
type Step =
  | { step: 'write'; changes: Change[] }
  | { step: 'trouble'; kind: Trouble }
  | { step: 'move'; to: number; loses: boolean }
  | { step: 'snapshot' | 'settle' | 'rebuild' | 'drop' };
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      step: fc.constant('write' as const),
      changes: fc.array(change, { minLength: 1, maxLength: 8 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      step: fc.constant('trouble' as const),
      kind: fc.constantFrom<Trouble>('before', 'after', 'unnoted'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ step: fc.constant('move' as const), to: fc.constantFrom(0, 1), loses: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      step: fc.constantFrom('snapshot' as const, 'settle' as const, 'rebuild' as const, 'drop' as const),
    }),
  },
);

describe('the projection', () => {
  it('equals the working copy after any history, wherever it was cut off', async () => {
    await fc.assert(
      fc
        .asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
          const files = [rig.file(), rig.file()];
          let writes = project(files[0]!);
          await owner.store.write((db) => apply(db, { do: 'workflow', id: 0, text: 'first' }));
          for (const one of steps) {
            switch (one.step) {
              case 'write':
                await owner.store.write((db) => one.changes.forEach((single) => apply(db, single)));
                break;
              case 'trouble':
                trouble = one.kind;
                break;
              case 'move':
                await writes.close();
                if (one.loses) rmSync(files[one.to]!, { force: true });
                writes = project(files[one.to]!);
                break;
              case 'snapshot': {
                const standby = await rig.follow(rig.file());
                await standby.takeSnapshot('a');
                await rig.connect().trim(1);
                break;
              }
              case 'settle':
                await settled();
                await expectSame();
                break;
              case 'rebuild':
                await tables.rebuild().catch(() => {});
                break;
              case 'drop':
                await writes.close();
                await tables.drop().catch(() => {});
                writes = project(files[0]!);
            }
          }
          trouble = null;
          await settled();
          await expectSame();
        })
        .beforeEach(async () => {
          trouble = null;
        })
        .afterEach(async () => {
          for (const close of closing.splice(0).reverse()) await close();
          await owner.close();
          await rig.close();
          rig = await startJournal();
          owner = await rig.own('a', rig.file());
          tables = connect();
        }),
      { numRuns: Number(process.env['YARDMASTER_MODEL_RUNS'] ?? 8), ...seedOf(process.env['YARDMASTER_MODEL_SEED']) },
    );
  });
});

const seedOf = (seed: string | undefined) => ({ seed: Number(seed ?? 20261123), endOnFailure: true });
