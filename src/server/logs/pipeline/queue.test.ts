import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openQueue } from './queue.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

const open = (folder: string, said: string[] = []) =>
  openQueue({ folder, maxBytes: 1e6, batchBytes: 1000, durable: false, now: () => 0, log: (line) => said.push(line) });

it('passes over a batch whose file somebody has removed, and says so', () => {
  const folder = temporaryFolder('queue');
  const said: string[] = [];
  const queue = open(folder, said);
  queue.append(['{"n":1}\n']);
  queue.cut();
  rmSync(join(folder, readdirSync(folder)[0] as string));
  const batch = queue.first();
  if (batch === null) throw new Error('there is a batch');
  expect(queue.read(batch).lines).toBe(0);
  expect(said).toEqual([expect.stringMatching(/\.batch is missing: its 1 log lines are lost/)]);
  queue.done(batch);
  expect([queue.lines, queue.bytes, queue.first()]).toEqual([0, 0, null]);
});

it('opens within moments where very many batches wait', () => {
  const folder = temporaryFolder('queue');
  const first = open(folder);
  for (let i = 0; i < 5000; i++) first.put(`letter-${i}.1`, { ndjson: Buffer.from('{}\n'), lines: 1 });
  expect(open(folder).lines).toBe(5000);
});
