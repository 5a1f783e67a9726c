import { expect, it } from 'vitest';
import { nodeNames } from './node-names.ts';

it('calls a node by its name, and by its id where it has none or is not there any more', () => {
  const nameOf = nodeNames([{ id: 'check', name: 'Check the order' }, { id: 'price' }, { id: 'ship', name: '' }]);
  expect(['check', 'price', 'ship', 'gone'].map(nameOf)).toEqual(['Check the order', 'price', 'ship', 'gone']);
});
it('tells nodes of one name apart', () => {
  const nameOf = nodeNames([
    { id: 'a', name: 'Ask' },
    { id: 'b', name: 'Ask' },
    { id: 'Mail' },
    { id: 'c', name: 'Mail' },
  ]);
  expect(['a', 'b', 'Mail', 'c'].map(nameOf)).toEqual(['Ask (a)', 'Ask (b)', 'Mail', 'Mail (c)']);
});
