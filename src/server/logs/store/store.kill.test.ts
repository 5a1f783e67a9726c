import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { threadFile } from '../../../lib/thread-file.ts';
import { emptyFolder, recordsIn, settle, writerOf } from './store.fixture.ts';

/** Runs a sender until it is killed after so many acknowledgements; gives the last batch that was acknowledged. */
function sendUntilKilled(folder: string, from: number, acks: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [
        '--no-warnings',
        fileURLToPath(threadFile(import.meta.url, './write/ingest-process.fixture.ts', 'ingest-child.js')),
        folder,
        String(from),
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let text = '';
    let last = from - 1;
    let count = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
        last = Number(text.slice(0, end));
        text = text.slice(end + 1);
        if (++count === acks) child.kill('SIGKILL');
      }
    });
    child.on('error', reject);
    child.on('close', (_, signal) =>
      signal === 'SIGKILL' ? resolve(last) : reject(new Error('the sender ended by itself')),
    );
  });
}

it('loses nothing that it acknowledged and doubles nothing, however often its process is killed', async () => {
  const folder = emptyFolder();
  let next = 0;
  // The sender begins with the batch whose acknowledgement it did not see, as one that tries again does.
  for (const acks of [1, 6, 11, 23]) next = (await sendUntilKilled(folder, next, acks)) + 1;
  const check = () => {
    const counts = new Map<number, number>();
    for (const { batch } of recordsIn(folder).records)
      counts.set(batch as number, (counts.get(batch as number) ?? 0) + 1);
    for (let n = 0; n < next; n++) expect([n, counts.get(n)]).toEqual([n, n % 7 === 3 ? 1500 : 40]);
    // The one on its way when the kill came is there as a whole, or not at all.
    for (const [n, count] of counts) if (n >= next) expect([n, count]).toEqual([n, n % 7 === 3 ? 1500 : 40]);
  };
  check();
  let now = Date.now();
  const writer = writerOf(folder, { now: () => now });
  now += 61_000;
  settle(writer);
  writer.close();
  check();
}, 120_000);
