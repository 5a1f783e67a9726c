import { expect, it } from 'vitest';
import { createCollector } from './collector.ts';
import type { ShapeBatch } from './port.ts';

it('takes names with a separator in them for nobody else’s', () => {
  const given: ShapeBatch[] = [];
  const collector = createCollector((batch) => void given.push(batch));
  const time = 1;
  collector.add({ time, measurement: 'm', tags: { w: '1' }, fields: { 'a\u0000b': 7 } });
  collector.add({ time, measurement: 'm', tags: { w: '2' }, fields: { a: 1, b: 2 } });
  collector.add({ time, measurement: 'm', tags: { 'v\u0000w': '3' }, fields: { a: 3, b: 4 } });
  collector.add({ time, measurement: 'm', tags: { v: '5', w: '6' }, fields: { a: 5, b: 6 } });
  collector.flush();
  expect(given.map(({ tags, fields, values }) => [tags, fields, [...values]])).toEqual([
    [['w'], ['a\u0000b'], [7]],
    [['w'], ['a', 'b'], [1, 2]],
    [['v\u0000w'], ['a', 'b'], [3, 4]],
    [
      ['v', 'w'],
      ['a', 'b'],
      [5, 6],
    ],
  ]);
});
