import { expect, it, vi } from 'vitest';
import { headCheckbox, selectMore } from './head-checkbox.ts';

function table(selected: readonly string[], isAll = false) {
  const onChange = vi.fn<(next: ReadonlySet<string>) => void>();
  const everything = { on: isAll, clear: vi.fn<() => void>(), select: vi.fn<() => void>() };
  return { selected: new Set(selected), onChange, everything };
}

it('takes the rows in sight besides what is selected, and all there are at the second press', () => {
  const first = table(['far']);
  selectMore(first, ['a', 'b']);
  expect(first.onChange).toHaveBeenCalledExactlyOnceWith(new Set(['far', 'a', 'b']));
  expect(first.everything.select).not.toHaveBeenCalled();
  const second = table(['far', 'a', 'b']);
  selectMore(second, ['a', 'b']);
  expect(second.onChange).not.toHaveBeenCalled();
  expect(second.everything.select).toHaveBeenCalledOnce();
  const third = table([], true);
  selectMore(third, ['a', 'b']);
  expect([third.onChange.mock.calls, third.everything.select.mock.calls]).toEqual([[], []]);
});

it('the box in the head never stands for more than what is in sight, and clears all', () => {
  const some = table(['far', 'a', 'b']);
  headCheckbox(some, ['a', 'b'], true).toggle();
  expect(some.onChange).toHaveBeenCalledExactlyOnceWith(new Set(['far']));
  const all = table([], true);
  headCheckbox(all, ['a', 'b'], true).toggle();
  expect(all.everything.clear).toHaveBeenCalledOnce();
});
