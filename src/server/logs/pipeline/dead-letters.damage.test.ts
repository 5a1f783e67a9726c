import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { openDeadLetters, type LetterDamage } from './dead-letters.ts';

const letter = (n: number) => ({
  id: `id-${n}`,
  at: '2026-01-01T00:00:00.000Z',
  status: 400,
  reason: 'too long',
  line: `{"n":${n}}`,
});

it('gives a letter as it was written or counts it as one that cannot be read, whichever bit is flipped', () => {
  const file = join(temporaryFolder('letters'), 'dead-letters.ndjson');
  const letters = openDeadLetters(file, 1e6);
  for (let n = 0; n < 5; n++) letters.add(letter(n));
  letters.strike(['id-1']);
  const whole = readFileSync(file);
  const all = letters.list(0, 100).items;
  fc.assert(
    fc.property(fc.nat({ max: whole.length * 8 - 1 }), (bit) => {
      const data = Buffer.from(whole);
      data[bit >> 3] = (data[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      // Without its newline the last line is one that a crash cut.
      if (data.at(-1) !== 10) return;
      writeFileSync(file, data);
      const damages: LetterDamage[] = [];
      const read = openDeadLetters(file, 1e6, (damage) => damages.push(damage)).list(0, 100).items;
      // Without the line that says which are gone, one that is gone is there again.
      for (const one of read) if (one.id !== 'id-1') expect(all).toContainEqual(one);
      if (read.length !== all.length) expect(damages).not.toEqual([]);
    }),
    { numRuns: 500 },
  );
});

it('reads the first form, whose lines have no checksum', () => {
  const file = join(temporaryFolder('letters'), 'dead-letters.ndjson');
  writeFileSync(file, `\n${JSON.stringify({ ...letter(1), bytes: 7 })}\n`);
  const letters = openDeadLetters(file, 1e6);
  letters.add(letter(2));
  expect(letters.list(0, 10).items.map(({ id }) => id)).toEqual(['id-2', 'id-1']);
});
