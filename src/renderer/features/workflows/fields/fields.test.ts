import { describe, expect, it } from 'vitest';
import { NODE_CONFIGS } from '../../../../contract/definition.ts';
import { faultAt, faultsBeside, faultsByField } from './faults.ts';
import { commonFields, configFields, inWords, otherMembers, withMember } from './fields.ts';
import { previewDefinition } from './preview.ts';

describe('the form of a node', () => {
  it('has a field with words of its own for every member of every type', () => {
    for (const [type, schema] of Object.entries(NODE_CONFIGS)) {
      const fields = configFields(type);
      expect(fields.map(({ key }) => key)).toEqual(Object.keys(schema.properties));
      for (const { key, label } of fields) expect([type, key, label === key]).toEqual([type, key, false]);
    }
    for (const { key, label } of commonFields()) expect(label).not.toBe(key);
    expect(configFields('nonsense')).toEqual([]);
  });

  it('takes limits, choices and what is required from the schema', () => {
    const http = new Map(configFields('http').map((field) => [field.key, field]));
    expect(http.get('method')).toMatchObject({ editor: 'choice', required: true });
    expect(http.get('method')?.choices.map(({ value }) => value)).toContain('PATCH');
    expect(http.get('timeoutSeconds')).toMatchObject({ editor: 'seconds', required: false, min: 0, max: 600 });
    expect(http.get('headers')?.editor).toBe('pairs');
    expect(configFields('forEach').map(({ editor }) => editor)).toEqual(['jsonata', 'inner', 'number', 'choice']);
    expect(commonFields()[0]).toMatchObject({ key: 'retries', editor: 'number', whole: true, min: 0, max: 100 });
  });

  it('keeps members that it has no field for', () => {
    const config = { expression: '$', later: { kept: 1 } };
    expect(otherMembers('transform', config)).toEqual(['later']);
    expect(withMember(config, 'expression', 'a')).toEqual({ expression: 'a', later: { kept: 1 } });
    expect(withMember(config, 'expression', undefined)).toEqual({ later: { kept: 1 } });
  });

  it('shows each fault beside its field, and the rest above', () => {
    const all = [
      { pointer: '/nodes/1/config/url', message: 'no' },
      { pointer: '/nodes/1/type', message: 'what' },
      { pointer: '/nodes/10/config/url', message: 'other' },
      { pointer: '/nodes/1', message: 'lost' },
    ];
    const own = faultsByField(all, 1);
    expect(faultAt(own, '/config/url')).toBe('no');
    expect(faultAt(own, '/config/body')).toBeNull();
    expect(faultsBeside(own, ['/config/url']).map(({ message }) => message)).toEqual(['what', 'lost']);
  });

  it('says what a deadline is by default, as the master has it', () => {
    const deadline = configFields('wait').find(({ key }) => key === 'timeoutSeconds');
    expect(deadline?.limitHelp?.({ waitDays: 366 })).toMatch(/^Default: 366 days, /);
    expect(deadline?.limitHelp?.({ waitDays: 1 })).toMatch(/^Default: 1 day, /);
    // An older master does not say it.
    expect(deadline?.limitHelp?.({})).toBeNull();
  });

  it('says long times in words', () =>
    expect([inWords(30), inWords(600), inWords(3661), inWords(604_800)]).toEqual([
      '',
      '10 min',
      '1 h 1 min 1 s',
      '7 d',
    ]));

  it('previews in a workflow of three nodes', () =>
    expect(previewDefinition('template', 'a {{ b }}').nodes[1]).toEqual({
      id: 'preview',
      type: 'template',
      config: { template: 'a {{ b }}' },
    }));
});
