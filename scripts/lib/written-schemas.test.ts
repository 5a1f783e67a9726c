import { Check } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import * as definition from '../../src/contract/definition.ts';
import { writtenSchemas } from './written-schemas.ts';

describe('the schemas of the definition in the build', () => {
  const { load } = writtenSchemas();

  it('are the same schemas', async () => {
    const text = load('/somewhere/src/contract/definition.ts') ?? '';
    const written = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as typeof definition;
    // All that is in the file is data: nothing is lost as JSON.
    expect({ ...written }).toEqual(JSON.parse(JSON.stringify(definition)));
    expect(Object.keys(written).toSorted()).toEqual(Object.keys(definition).toSorted());
    expect(Object.values(definition).filter((value) => typeof value !== 'object')).toEqual([]);
    const good = { schemaVersion: 1, name: 'A', response: 'list', nodes: [], edges: [], output: 'output' };
    for (const value of [good, { ...good, extra: 1 }, { ...good, nodes: [{ id: 'a' }] }, { ...good, name: 1 }])
      expect(Check(written.DefinitionSchema, value)).toBe(Check(definition.DefinitionSchema, value));
  });

  it('are written in no other file', () => {
    expect(load('/somewhere/src/contract/jobs.ts')).toBeNull();
    expect(load('/somewhere/src/renderer/features/workflows/definition.ts')).toBeNull();
  });
});
