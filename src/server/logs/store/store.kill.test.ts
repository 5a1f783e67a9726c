import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { threadFile } from '../../../lib/thread-file.ts';
import { emptyFolder, recordsIn, settle, writerOf } from './store.fixture.ts';

/** Runs senders until they are killed after so many acknowledgements; gives the batches that were acknowledged. */
function sendUntilKilled(folder: string, from: number, senders: number, acks: number): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [
        '--no-warnings',
        fileURLToPath(threadFile(import.meta.url, './write/ingest-process.fixture.ts', 'ingest-child.js')),
        folder,
        String(from),
        String(senders),
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let text = '';
    const acknowledged: number[] = [];
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
        acknowledged.push(Number(text.slice(0, end)));
        text = text.slice(end + 1);
        if (acknowledged.length === acks) child.kill('SIGKILL');
      }
    });
    child.on('error', reject);
    child.on('close', (_, signal) =>
      signal === 'SIGKILL' ? resolve(acknowledged) : reject(new Error('the sender ended by itself')),
    );
  });
}

it.each([
  { what: 'one sender', senders: 1, kills: [1, 6, 11, 23], linesOf: (n: number) => (n % 7 === 3 ? 1500 : 40) },
  { what: 'many large batches at once', senders: 6, kills: [1, 9], linesOf: () => 5000 },
])(
  'loses nothing that it acknowledged and doubles nothing, however often its process is killed: $what',
  async ({ senders, kills, linesOf }) => {
    const folder = emptyFolder();
    const acknowledged = new Set<number>();
    let next = 0;
    for (const acks of kills) {
      for (const n of await sendUntilKilled(folder, next, senders, acks)) acknowledged.add(n);
      // Senders begin with the batch whose acknowledgement they did not see, as those that try again do.
      while (acknowledged.has(next)) next++;
    }
    const check = () => {
      const counts = new Map<number, number>();
      for (const { batch } of recordsIn(folder).records)
        counts.set(batch as number, (counts.get(batch as number) ?? 0) + 1);
      for (const n of acknowledged) expect([n, counts.get(n)]).toEqual([n, linesOf(n)]);
      // What was on its way when the kill came is there as a whole, or not at all.
      for (const [n, count] of counts) expect([n, count]).toEqual([n, linesOf(n)]);
    };
    check();
    let now = Date.now();
    const writer = writerOf(folder, { now: () => now });
    now += 61_000;
    settle(writer);
    writer.close();
    check();
  },
  120_000,
);
