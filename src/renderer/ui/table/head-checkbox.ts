import { t } from '../../../lib/language.ts';
import type { HeadProps } from './Head.tsx';
import type { TableSelection } from './types.ts';

/** What Ctrl+A takes: the rows of this page or in sight, as the box in the head; at the second press every row there is. */
export function selectMore({ selected, everything, onChange }: TableSelection, ids: readonly string[]): void {
  if (everything?.on) return;
  if (ids.every((id) => selected.has(id))) everything?.select();
  else onChange(new Set([...selected, ...ids]));
}

/** The box in the head: it stands for the rows of this page, of a list without pages for those in sight (`ids`), never for more. */
export function headCheckbox(
  { selected, everything, onChange }: TableSelection,
  ids: readonly string[],
  endless: boolean,
): NonNullable<HeadProps<never>['check']> {
  const isOn = everything?.on === true;
  const all = isOn || (ids.length > 0 && ids.every((id) => selected.has(id)));
  return {
    label: endless ? t('Select the rows in view') : t('Select all rows on this page'),
    any: isOn || ids.length > 0,
    all,
    some: selected.size > 0,
    toggle() {
      if (isOn) return everything.clear();
      const next = new Set(selected);
      for (const id of ids)
        if (all) next.delete(id);
        else next.add(id);
      onChange(next);
    },
  };
}
