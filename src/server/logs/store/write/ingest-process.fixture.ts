import { writeSync } from 'node:fs';
import { batch, LINE_LIMITS } from '../store.fixture.ts';
import { openLogStore } from '../store.ts';

// A process to be killed: sends batch after batch from the given number on, and writes the number of each that was acknowledged.
const [folder = '', from = '0'] = process.argv.slice(2);
const store = await openLogStore({
  folder,
  limits: LINE_LIMITS,
  storeBytes: 1e9,
  retentionDays: 0,
  reserveBytes: 0,
  durable: false,
  queueBytes: 64e6,
  queries: { most: 4, waiting: 4, waitMs: 1000, bytes: 2 ** 27 },
  cacheBytes: 2 ** 24,
  log: (line) => process.stderr.write(`${line}\n`),
});
for (let n = Number(from); ; n++) {
  // Most are small ones, which wait to be made into blocks.
  const lines = Array.from({ length: n % 7 === 3 ? 1500 : 40 }, (_, i) => ({
    batch: n,
    line: i,
    _msg: `batch ${n} line ${i} ${'x'.repeat(150)}`,
  }));
  await store.insert(batch(lines, `b${n}`));
  writeSync(1, `${n}\n`);
}
