import { itemAt } from '../../../../lib/item-at.ts';
import type { PipeOf } from '../../../../lib/logsql/ast.ts';
import { compareNatural } from '../../../../lib/logsql/natural.ts';
import { type Frame, stringsFrame } from '../frame.ts';
import type { Frames, Run, Stage } from '../run-context.ts';
import { createGroups, type Groups } from '../stats/groups.ts';

const CHUNK = 4096;

interface Counted {
  readonly groups: Groups;
  readonly hits: number[];
  /** There are more groups than were asked for; counting stopped. */
  readonly cut: boolean;
}

function* counted(frames: Frames, by: readonly string[], limit: number, run: Run): Generator<null, Counted> {
  const groups = createGroups(
    by.map((field) => ({ field, step: null, offset: null })),
    run.hold,
  );
  const hits: number[] = [];
  for (const frame of frames) {
    yield null;
    if (frame === null) continue;
    run.check();
    groups.tally(frame, (group, rows) => void (hits[group] = (hits[group] ?? 0) + rows));
    if (groups.keys.length > limit) return { groups, hits, cut: true };
  }
  return { groups, hits, cut: false };
}

/** `uniq by (…)`: each combination once. Of more than the limit any may go, and their hits are not known: 0. */
export function uniqStage({ by, hits: name, limit }: PipeOf<'uniq'>, run: Run): Stage {
  return function* (frames) {
    const { groups, hits, cut } = yield* counted(frames, by, limit ?? Number.POSITIVE_INFINITY, run);
    const order = groups.keys
      .map((_, i) => i)
      .filter((i) => name !== null || groups.keys[i]?.some((value) => value !== ''));
    yield* groupFrames(
      limit === null ? order : order.slice(0, limit),
      groups,
      by,
      name === null ? [] : [[name, (i) => (cut ? '0' : String(hits[i]))]],
    );
  };
}

/** `top n by (…)`: the most frequent combinations, the most frequent first. */
export function topStage({ by, n, hits: name, rank }: PipeOf<'top'>, run: Run): Stage {
  return function* (frames) {
    const { groups, hits } = yield* counted(frames, by, Number.POSITIVE_INFINITY, run);
    const order = byHits(groups, hits).slice(0, n);
    const ranks = new Map(order.map((group, i) => [group, String(i + 1)]));
    yield* groupFrames(order, groups, by, [
      [name, (i) => String(hits[i])],
      ...(rank === null ? [] : [[rank, (i: number) => ranks.get(i) ?? ''] as const]),
    ]);
  };
}

/** `field_values f`: its values with how often they are there, the most frequent first. */
export function fieldValuesStage({ field, limit }: PipeOf<'field_values'>, run: Run): Stage {
  return function* (frames) {
    const { groups, hits, cut } = yield* counted(frames, [field], limit ?? Number.POSITIVE_INFINITY, run);
    const order = cut ? groups.keys.map((_, i) => i) : byHits(groups, hits);
    yield* groupFrames(
      limit === null ? order : order.slice(0, limit),
      groups,
      [field],
      [['hits', (i) => (cut ? '0' : String(hits[i]))]],
    );
  };
}

function byHits({ keys }: Groups, hits: readonly number[]): number[] {
  const compare = (a: readonly string[], b: readonly string[]): number => {
    for (let i = 0; i < a.length; i++) {
      const order = compareNatural(a[i] ?? '', b[i] ?? '');
      if (order !== 0) return order;
    }
    return 0;
  };
  return keys
    .map((_, i) => i)
    .sort((a, b) => (hits[b] ?? 0) - (hits[a] ?? 0) || compare(itemAt(keys, a), itemAt(keys, b)));
}

function* groupFrames(
  order: readonly number[],
  { keys }: Groups,
  by: readonly string[],
  more: readonly (readonly [name: string, valueOf: (group: number) => string])[],
): Generator<Frame> {
  for (let from = 0; from < order.length; from += CHUNK) {
    const part = order.slice(from, from + CHUNK);
    const columns = new Map<string, string[]>();
    by.forEach((field, k) =>
      columns.set(
        field,
        part.map((group) => keys[group]?.[k] ?? ''),
      ),
    );
    for (const [name, valueOf] of more) columns.set(name, part.map(valueOf));
    yield stringsFrame(part.length, columns, true);
  }
}
