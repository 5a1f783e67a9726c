import { expect, it } from 'vitest';
import { codeSource } from './code-source.ts';

it('finds the source of a code node, also within a forEach, and of no other', () => {
  const nodes = [
    { id: 'a', type: 'code', config: { source: 'return 1' } },
    { id: 'b', type: 'forEach', config: { items: 'list', node: { type: 'code', config: { source: 'return 2' } } } },
    { id: 'c', type: 'delay', config: { seconds: 1 } },
  ];
  expect(['a', 'b', 'c', 'gone'].map((id) => codeSource({ nodes }, id))).toEqual(['return 1', 'return 2', null, null]);
});
