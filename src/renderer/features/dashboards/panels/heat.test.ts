import { expect, it } from 'vitest';
import { heatMapCells } from './heat.ts';

const line = (values: (number | null)[]) => ({ label: '', tags: {}, values });

it('counts the values of each time in bands that grow by the same factor; every value is in one', () => {
  const { bounds, cells, most } = heatMapCells({
    times: [1, 2],
    lines: [line([1, null]), line([1, 1000]), line([0, 2048])],
  });
  expect(bounds).toHaveLength(12);
  expect(bounds[0]).toBe(0);
  expect(bounds[1]).toBe(1);
  expect(cells.map((column) => column.reduce((a, b) => a + b, 0))).toEqual([3, 2]);
  expect(cells[0]?.slice(0, 3)).toEqual([1, 2, 0]);
  expect(cells[1]?.at(-1)).toBe(1);
  expect(most).toBe(2);
});

it('has one band where nothing is above zero', () =>
  expect(heatMapCells({ times: [1], lines: [line([0]), line([null])] })).toEqual({
    bounds: [0],
    cells: [[1]],
    most: 2,
  }));
