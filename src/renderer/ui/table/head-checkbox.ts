import { t } from '../../../lib/language.ts';
import type { HeadProps } from './Head.tsx';
import type { TableSelection } from './types.ts';

/** The box in the head: it stands for every row there is, or for the rows of this page (`ids`). */
export function headCheckbox(
  selection: TableSelection,
  ids: readonly string[],
  total: number,
): NonNullable<HeadProps<never>['check']> {
  const { selected, everything, onChange } = selection;
  if (everything)
    return {
      label: t('Select all matching rows'),
      any: total > 0,
      all: everything.on,
      some: selected.size > 0,
      toggle: everything.toggle,
    };
  const chosen = ids.filter((id) => selected.has(id)).length;
  const all = ids.length > 0 && chosen === ids.length;
  return {
    label: t('Select all rows on this page'),
    any: ids.length > 0,
    all,
    some: chosen > 0,
    toggle() {
      const next = new Set(selected);
      for (const id of ids)
        if (all) next.delete(id);
        else next.add(id);
      onChange(next);
    },
  };
}
