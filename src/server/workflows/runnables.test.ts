import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../contract/limits.ts';
import type { ReadHandle } from '../store/port.ts';
import { createRunnables } from './runnables.ts';
import { createSchemaCompiler } from './schema/compile.ts';

const text = (name: string, size: number) =>
  JSON.stringify({
    schemaVersion: 1,
    name: name.padEnd(size, '.'),
    response: 'first',
    nodes: [
      { id: 'in', type: 'input' },
      { id: 'out', type: 'output' },
    ],
    edges: [{ from: 'in', to: 'out' }],
    output: 'out',
  });

function cacheOf(most: number, mostCharacters: number) {
  const read: string[] = [];
  const runnables = createRunnables({
    read: {} as ReadHandle,
    schemas: createSchemaCompiler({ schemaBytes: LIMITS.schemaBytes, steps: LIMITS.schemaSteps }),
    check: () => [],
    most,
    mostCharacters,
  });
  const run = (hash: string, size: number) => runnables.draft('flow', hash, () => (read.push(hash), text(hash, size)));
  return { read, run };
}

describe('what is kept ready to run', () => {
  it('is bounded by the length of its definitions, the latest used are kept', () => {
    const { read, run } = cacheOf(100, 30_000);
    for (const hash of ['a', 'b', 'a', 'c', 'd', 'a', 'b']) run(hash, 9000);
    // Three have room: d took the place of b, which had not been used since, and b then that of c.
    expect(read.join('')).toBe('abcdb');
    expect(run('huge', 100_000).definition.name).toMatch(/^huge/);
    expect(run('huge', 100_000).commit).toBe('huge');
    run('a', 9000);
    expect(read.join('')).toBe('abcdbhugea');
  });

  it('is bounded by its number', () => {
    const { read, run } = cacheOf(2, 1e9);
    for (const hash of ['a', 'b', 'a', 'c', 'a', 'b']) run(hash, 10);
    expect(read.join('')).toBe('abcb');
  });
});
