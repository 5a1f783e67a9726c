import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/**
 * Tests of pages share a master with whatever ran before on the same worker of the runner, which differs from run to run:
 * an ID that two files create fails only now and then.
 */
const CREATED = [/\bpublish\(\s*\w+,\s*'([^']+)'/g, /'workflows\.create',\s*\{\s*body:\s*\{\s*id:\s*'([^']+)'/g];

it('tests of pages create no workflow under an ID that another file creates too', () => {
  const files = new Map<string, Set<string>>();
  for (const file of globSync('e2e/{browser,desktop}/*.e2e.ts'))
    for (const [, id = ''] of CREATED.flatMap((created) => [...readFileSync(file, 'utf8').matchAll(created)]))
      files.set(id, (files.get(id) ?? new Set()).add(file));
  expect(files.size).toBeGreaterThan(20);
  expect([...files].filter(([, { size }]) => size > 1).map(([id, where]) => `${id}: ${[...where].join(', ')}`)).toEqual(
    [],
  );
});
