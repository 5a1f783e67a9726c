import { writeSync } from 'node:fs';
import { batch, LINE_LIMITS } from '../store.fixture.ts';
import { openLogStore } from '../store.ts';

// A process to be killed: sends batch after batch from the given number on, as many at once as told, and writes the number of each
// that was acknowledged.
const [folder = '', from = '0', together = '1'] = process.argv.slice(2);
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
const senders = Number(together);

async function send(n: number): Promise<void> {
  // Of one sender most are small ones, which wait to be made into blocks. Of several they are so large that each thread has its own.
  const count = senders > 1 ? 5000 : n % 7 === 3 ? 1500 : 40;
  const lines = Array.from({ length: count }, (_, i) => ({
    batch: n,
    line: i,
    _msg: `batch ${n} line ${i} ${'x'.repeat(150)}`,
  }));
  await store.insert(batch(lines, `b${n}`));
  writeSync(1, `${n}\n`);
}

for (let n = Number(from); ; n += senders) await Promise.all(Array.from({ length: senders }, (_, i) => send(n + i)));
