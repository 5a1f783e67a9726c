import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { NamedSecret } from '../../../lib/redact.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { readRedactedValues, watchRedactedValues } from './redact-option.ts';

it('reads a file of lines, and a folder as Kubernetes mounts a secret', () => {
  const folder = temporaryFolder('redact');
  const file = join(folder, 'values');
  writeFileSync(file, '# comment\nKEY=abc=defgh\r\n\nOTHER=0123456789\n');
  expect(readRedactedValues(file)).toEqual([
    { name: 'KEY', value: 'abc=defgh' },
    { name: 'OTHER', value: '0123456789' },
  ]);
  const mounted = join(folder, 'mounted');
  mkdirSync(join(mounted, '..data'), { recursive: true });
  writeFileSync(join(mounted, 'PASSWORD'), 'line one of it\n');
  expect(readRedactedValues(mounted)).toEqual([{ name: 'PASSWORD', value: 'line one of it' }]);
});

it.each([
  ['what is missing', null, /cannot be read/],
  ['a line without a name', 'just text\n', /line 1 must be NAME=VALUE/],
  ['a value that many texts contain', 'KEY=a\n', /KEY has fewer than/],
])('refuses %s', (_, text, words) => {
  const file = join(temporaryFolder('redact'), 'values');
  if (text !== null) writeFileSync(file, text);
  expect(() => readRedactedValues(file)).toThrow(words);
});

it('takes over changes, and keeps what it had where the file is gone', async () => {
  const file = join(temporaryFolder('redact'), 'values');
  writeFileSync(file, 'KEY=first-value\n');
  const taken: NamedSecret[][] = [];
  const lines: string[] = [];
  const stop = watchRedactedValues(
    file,
    (values) => taken.push(values),
    (line) => lines.push(line),
    5,
  );
  writeFileSync(file, 'KEY=second-value\n');
  await expect.poll(() => taken.at(-1)).toEqual([{ name: 'KEY', value: 'second-value' }]);
  rmSync(file);
  await expect.poll(() => lines.length).toBe(1);
  expect(taken.at(-1)).toEqual([{ name: 'KEY', value: 'second-value' }]);
  stop();
});
