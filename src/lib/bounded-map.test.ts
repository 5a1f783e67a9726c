import { expect, it } from 'vitest';
import { BoundedMap } from './bounded-map.ts';

it('lets go of what was set longest ago, and says of what', () => {
  const gone: string[] = [];
  const map = new BoundedMap<string, number>(2, (value, key) => gone.push(`${key}=${value}`));
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
  expect(gone).toEqual(['b=2']);
  map.delete('a');
  map.set('d', 5);
  expect([...map.keys()]).toEqual(['c', 'd']);
});
