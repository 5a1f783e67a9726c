import { describe, expect, it } from 'vitest';
import { completeQueryLine } from './complete.ts';
import type { QueryLanguage } from './fields.ts';
import { parseListQuery, printListQuery } from './list-query.ts';

const LANGUAGE: QueryLanguage<'state' | 'node' | 'replica' | 'text'> = {
  fields: {
    state: { kind: 'word', words: ['failed', 'ready'], several: true },
    node: { kind: 'text', single: true },
    replica: { kind: 'number', single: true, whole: true },
    text: { kind: 'prose', single: true },
  },
  aliases: { error: 'text' },
  words: 'text',
};
const filtersOf = (line: string) => {
  const parsed = parseListQuery(line, LANGUAGE);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.filters;
};
const errorOf = (line: string) => {
  const parsed = parseListQuery(line, LANGUAGE);
  if (parsed.ok) throw new Error('it is right');
  const { from, to, message } = parsed.error;
  return [line.slice(from, to), message];
};

describe('the query line of a list', () => {
  it('is its filters, with words beside each other as one text', () => {
    expect(filtersOf('State:failed,READY node:"a b" timed out replica:3')).toEqual({
      state: ['failed', 'ready'],
      node: ['a b'],
      text: ['timed out'],
      replica: ['3'],
    });
    expect(filtersOf('error:"timed out"')).toEqual({ text: ['timed out'] });
    expect(filtersOf('')).toEqual({});
  });

  it('says where it is wrong, and what would be right', () => {
    expect(errorOf('node:a stat:failed')).toEqual(['stat', expect.stringContaining('state, node, replica, text')]);
    expect(errorOf('state:done')).toEqual(['done', 'state is one of failed, ready']);
    expect(errorOf('node:a node:b')).toEqual(['node:b', 'node is set twice']);
    expect(errorOf('node:a,b')).toEqual(['node:a,b', 'node takes one exact value']);
    expect(errorOf('-state:failed')).toEqual(['-state:failed', 'state takes exact values, without a minus sign']);
    for (const line of ['-timeout', 'text:="a b"']) expect(errorOf(line)[1]).toContain('searches for one text');
    for (const value of ['many', '1.5', '-1', '2.0', '1e2', '0x10', '+3', '1234567890123456'])
      expect(errorOf(`replica:${value}`)).toEqual([value, 'replica needs a whole number from 0, such as 2']);
    for (const line of ['replica:1..2', 'replica:>1', 'replica:1,2'])
      expect(errorOf(line)[1]).toBe('replica takes one exact value');
    expect(errorOf('node:*')[1]).toContain('one exact value');
    expect(errorOf('(node:a)')).toEqual(['(node:a)', expect.stringContaining('parentheses')]);
  });

  it('is printed as it is read', () => {
    for (const line of [
      '',
      'state:failed,ready node:"a b" replica:0 timed out',
      'timed out',
      'node:charge text:node:x',
      'text:-x',
      'text:"a  b"',
    ])
      expect(printListQuery(filtersOf(line), LANGUAGE)).toBe(line);
  });

  it('is completed with its own fields', () => {
    expect(completeQueryLine('no', 2, LANGUAGE).offer).toEqual({ kind: 'fields', fields: ['node'] });
    expect(completeQueryLine('state:failed,re', 15, LANGUAGE)).toMatchObject({
      offer: { kind: 'values', field: 'state' },
      typed: 're',
    });
  });
});
