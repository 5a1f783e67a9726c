import type { Field, Series } from '../files/catalog.ts';
import type { RollPart } from '../files/roll-up.ts';
import type { GroupData, SeriesFilter, SeriesSource, WindowData } from '../port.ts';
import { foldRange, NEEDS, onceForEach, type Aggregate } from './fold-range.ts';
import { createFold, type Fold } from './fold.ts';
import { keyOf, selectSeries, type Guard } from './select.ts';
import type { View } from './view.ts';

export function* windowsOf(
  view: View,
  guard: Guard,
  filter: SeriesFilter,
  from: number,
  to: number,
  everyMs: number,
  aggregate: Aggregate,
): Generator<WindowData> {
  // Whose tags decide is known only with the rows: then `where` is asked of each owner.
  const choice = selectSeries(view, filter);
  const folds: { series: Series; field: Field; who: string; fold: Fold }[] = [];
  foldRange(
    view,
    guard,
    { ...choice, where: null, chosen: choice.chosen },
    { from, to, everyMs, needs: new Set(NEEDS[aggregate]), mergeOwners: false },
    onceForEach(({ series }, field, who) => {
      if (choice.where && !choice.where(keyOf(series, field, who))) return null;
      const fold = createFold(from, to, everyMs, NEEDS[aggregate], false, guard.charge);
      folds.push({ series, field, who, fold });
      return fold;
    }),
  );
  for (const { series, field, who, fold } of folds) {
    guard.check();
    const order = fold.order();
    yield {
      ...keyOf(series, field, who),
      starts: fold.inOrder(order, 'starts'),
      values: valuesOf(fold, order, aggregate),
    };
  }
}

/** Windows of groups are folded at once, without those of each series. */
export function* groupsOf(
  view: View,
  guard: Guard,
  ...[filter, from, to, everyMs, needs, groupOf]: Parameters<SeriesSource['groups']>
): Generator<GroupData> {
  const choice = selectSeries(view, filter);
  const folds = new Map<string, Fold>();
  foldRange(
    view,
    guard,
    { ...choice, where: null },
    { from, to, everyMs, needs: new Set<RollPart>(['count', ...needs]), mergeOwners: false },
    onceForEach(({ series }, field, who) => {
      const key = keyOf(series, field, who);
      if (choice.where && !choice.where(key)) return null;
      const group = groupOf(key);
      let fold = folds.get(group);
      if (!fold) folds.set(group, (fold = createFold(from, to, everyMs, ['count', ...needs], false, guard.charge)));
      return fold;
    }),
  );
  for (const [group, fold] of folds) {
    guard.check();
    const order = fold.order();
    if (order.length > 0)
      yield {
        group,
        starts: fold.inOrder(order, 'starts'),
        sums: fold.inOrder(order, 'sum'),
        counts: fold.inOrder(order, 'count'),
      };
  }
}

function valuesOf(fold: Fold, order: Int32Array, aggregate: Aggregate): Float64Array {
  const values = fold.inOrder(order, aggregate === 'mean' ? 'sum' : aggregate);
  if (aggregate !== 'mean') return values;
  const counts = fold.inOrder(order, 'count');
  for (let i = 0; i < values.length; i++) values[i] = (values[i] ?? 0) / (counts[i] ?? 0);
  return values;
}
