import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import type { PipelineDamage } from './port.ts';
import { openQueue, type Queue } from './queue.ts';

const open = (folder: string, damages: PipelineDamage[] = []): Queue =>
  openQueue({
    folder,
    maxBytes: 1e6,
    batchBytes: 120,
    durable: false,
    now: () => Date.now(),
    log: () => {},
    report: (damage) => damages.push(damage),
  });
const LINES = Array.from({ length: 40 }, (_, n) => `{"n":${n},"_msg":"line ${n}"}\n`);

/** A folder with all lines in it, in batches; `end`: as an orderly end or a crash leaves it. */
function filled(end: 'orderly' | 'crash'): string {
  const folder = temporaryFolder('queue');
  const queue = open(folder);
  for (const line of LINES) queue.append([line]);
  if (end === 'orderly') queue.close();
  return folder;
}
function copied(from: string): string {
  const folder = temporaryFolder('queue');
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(from)) copyFileSync(join(from, name), join(folder, name));
  return folder;
}
function drained(queue: Queue): string[] {
  const lines: string[] = [];
  for (let batch = queue.first(); batch; batch = queue.first()) {
    lines.push(
      ...queue
        .read(batch)
        .ndjson.toString()
        .split(/(?<=\n)/)
        .filter((line) => line !== ''),
    );
    queue.done(batch);
  }
  return lines;
}

for (const end of ['orderly', 'crash'] as const)
  it(`after a flipped bit in any file gives the right lines and counts the others (left by ${end === 'crash' ? 'a crash' : 'an orderly end'})`, () => {
    const whole = filled(end);
    const names = readdirSync(whole);
    expect(drained(open(copied(whole)))).toEqual(LINES);
    fc.assert(
      fc.property(fc.nat({ max: names.length - 1 }), fc.nat(), (which, where) => {
        const folder = copied(whole);
        const file = join(folder, names[which] ?? '');
        const data = readFileSync(file);
        const bit = where % (data.length * 8);
        data[bit >> 3] = (data[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        writeFileSync(file, data);
        const damages: PipelineDamage[] = [];
        const read = drained(open(folder, damages));
        expect(LINES.filter((line) => read.includes(line))).toEqual(read);
        if (read.length < LINES.length) expect(damages).not.toEqual([]);
        for (const { lost } of damages) if (lost !== null) expect(lost).toBe(LINES.length - read.length);
      }),
      { numRuns: 150 },
    );
  });

it('says so where a complete file was cut', () => {
  const whole = filled('orderly');
  const [name = ''] = readdirSync(whole);
  const size = readFileSync(join(whole, name)).length;
  for (let cut = 1; cut <= size; cut += 7) {
    const folder = copied(whole);
    writeFileSync(join(folder, name), readFileSync(join(whole, name)).subarray(0, size - cut));
    const damages: PipelineDamage[] = [];
    const read = drained(open(folder, damages));
    expect(LINES.filter((line) => read.includes(line))).toEqual(read);
    expect(new Set(damages.map(({ file }) => file))).toEqual(new Set([`queue/${name}`]));
  }
});

it('sets a damaged file aside where it is done with, rather than delete it', () => {
  const folder = filled('orderly');
  const [name = ''] = readdirSync(folder);
  const data = readFileSync(join(folder, name));
  data[30] = (data[30] ?? 0) ^ 1;
  writeFileSync(join(folder, name), data);
  drained(open(folder));
  expect(readdirSync(folder)).toEqual([`${name}.damaged`]);
});

it('is verified without being changed', async () => {
  const folder = filled('orderly');
  const damages: PipelineDamage[] = [];
  const queue = open(folder, damages);
  const [name = ''] = readdirSync(folder);
  let bytes = 0;
  const read = async (more: number) => void (bytes += more);
  expect(await queue.verify(read)).toEqual([]);
  const data = readFileSync(join(folder, name));
  expect(bytes).toBe(readdirSync(folder).reduce((sum, one) => sum + readFileSync(join(folder, one)).length, 0));
  data[30] = (data[30] ?? 0) ^ 1;
  writeFileSync(join(folder, name), data);
  expect(await queue.verify(read)).toMatchObject([{ file: `queue/${name}`, lost: 1 }]);
  expect(damages).toHaveLength(1);
});
