import { expect, it } from 'vitest';
import { inputTasks, listText } from './draft.ts';

const task = (replica: number, item: number | null = null) => ({ id: `${replica}-${item}`, replica, item });

it('keeps every digit and space of an input', () => {
  const input = '{"id": 12345678901234567890.10, "note":"a  b"}';
  expect(listText([input, '1'])).toBe(`[\n  ${input},\n  1\n]`);
  expect(listText([])).toBe('[]');
});
it('takes one task a replica, in order, and none where a replica is missing', () => {
  expect(inputTasks([task(1), task(0)], 2)?.map(({ replica }) => replica)).toEqual([0, 1]);
  expect(inputTasks([task(0)], 2)).toBeNull();
  expect(inputTasks([task(0, 0), task(0, 1)], 1)).toBeNull();
});
