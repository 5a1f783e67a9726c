import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FoundDamage } from '../../observability/port.ts';
import { openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';
import { done } from '../../testing/worker.fake.ts';
import type { Store } from '../port.ts';
import { openSqlite } from './open.ts';

let rig: Rig;
let store: Store;
const told: FoundDamage[] = [];
const fast = () => ({ bytesPerSecond: 0, signal: new AbortController().signal });

beforeEach(async () => {
  told.length = 0;
  rig = await openRig();
  const worker = await rig.worker({ capacity: 8 });
  for (const n of ['short', 'x'.repeat(50_000)]) {
    const job = await rig.submit(workflow({ a: {} }, ['input>a', 'a>output']), [{ n }, { n: 2 }]);
    for (let i = 0; i < 2; i++) {
      const lease = await worker.lease();
      worker.report(done(lease, lease.input));
    }
    await rig.jobs.wait(job, 60);
  }
  await rig.close();
  store = openSqlite({ file: rig.file, durability: 'normal', report: (damage) => void told.push(damage) });
});
afterEach(() => store.close());

function spoil(sql: string): void {
  const db = new Database(rig.file);
  expect(db.prepare(sql).run().changes).toBeGreaterThan(0);
  db.close();
}

it('finds nothing in a database that is as it was written, and reads all of it', async () => {
  const { bytes, damages } = await store.verify(fast());
  expect(damages).toEqual([]);
  expect(bytes).toBeGreaterThan(100_000);
});

it('names each text that is not as it was written, once, in the words in which it is refused', async () => {
  spoil(`UPDATE task SET output = replace(output, 'short', 'shorT') WHERE output LIKE '%short%'`);
  spoil(`UPDATE payload SET text = replace(text, 'x"', 'y"')`);
  const { damages } = await store.verify(fast());
  expect(damages.map(({ what }) => what.replace(/[0-9a-f-]{36}/, 'ID')).sort()).toEqual([
    'the input of task ID does not match its checksum, and is not shown',
    'the output of task ID does not match its checksum, and is not shown',
    'the output of task ID does not match its checksum, and is not shown',
  ]);
  expect(told).toEqual(damages);
  expect(damages[0]).toMatchObject({ part: 'database', file: 'yardmaster.db', from: expect.any(Number) });
});

it('gives the texts of an earlier version a checksum, which holds from then on', async () => {
  spoil('UPDATE task SET input_sum = NULL, output_sum = NULL');
  expect((await store.verify(fast())).damages).toEqual([]);
  spoil(`UPDATE task SET output = replace(output, 'short', 'shorT') WHERE output LIKE '%short%'`);
  expect((await store.verify(fast())).damages).toHaveLength(1);
});

it('goes on from where another check ended', async () => {
  let saved: string | null = null;
  const stop = new AbortController();
  const first = store.verify({
    bytesPerSecond: 0,
    signal: stop.signal,
    resume: {
      from: null,
      save(from) {
        saved = from;
        if (from.includes('"rows":{')) stop.abort();
      },
    },
  });
  await expect(first).rejects.toThrow('aborted');
  const rest: string[] = [];
  await store.verify({ ...fast(), resume: { from: saved, save: (from) => void rest.push(from) } });
  // The structure of the tables was looked at already.
  expect(rest.every((from) => from.includes('"rows":{'))).toBe(true);
});

it('finds a definition that is not what its hash says', async () => {
  await store.write((db) =>
    db.statement(`INSERT INTO definition (blob, text) VALUES ('${'a'.repeat(40)}', '{}')`).run(),
  );
  expect((await store.verify(fast())).damages).toMatchObject([{ place: `the workflow definition ${'a'.repeat(40)}` }]);
});
