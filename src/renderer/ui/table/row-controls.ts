const CONTROLS = 'a[href], button:not(:disabled), input:not(:disabled):not([tabindex="-1"])';

/** The row that an element stands in, by its id; null: it stands in none, as the table itself and its head do. */
export const rowIdAt = (element: Element): string | null =>
  element.closest('[data-row-id]')?.getAttribute('data-row-id') ?? null;

/**
 * Right and left lead from a table into what can be pressed in its active row, through it, and back to the table: by Tab one would pass all
 * that stands in the rows above. False: there is nothing to go to that way.
 */
export function stepInRow(key: string, grid: HTMLElement, from: HTMLElement): boolean {
  if (key !== 'ArrowRight' && key !== 'ArrowLeft') return false;
  const row = from === grid ? grid.querySelector('[data-active]') : from.closest('[data-row-id]');
  if (row === null || from.matches('input:not([type="checkbox"])')) return false;
  const controls = [...row.querySelectorAll<HTMLElement>(CONTROLS)];
  // The table itself is before the first.
  const next = controls.indexOf(from) + (key === 'ArrowRight' ? 1 : -1);
  const to = next === -1 && from !== grid ? grid : controls[next];
  to?.focus();
  return to !== undefined;
}
