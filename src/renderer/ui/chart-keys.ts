/** Where the keyboard is in a chart: indexes of its times; null: nowhere, or nothing is being chosen. */
export interface ChartPlace {
  readonly at: number | null;
  /** The other end of the stretch that is being chosen. */
  readonly from: number | null;
}
export const NO_PLACE: ChartPlace = { at: null, from: null };

/** Of all times, at one press of Page up or Page down. */
const PAGE = 0.1;

/**
 * What a key does in a chart that shows its times from index `first` to `last`: the place that it leads to, or `zoom` into what was chosen;
 * null: no key of charts. It begins at the newest time, as the legend does.
 */
export function chartKey(
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  place: ChartPlace,
  first: number,
  last: number,
): ChartPlace | 'zoom' | null {
  if (last < first) return null;
  const within = (index: number) => Math.max(first, Math.min(last, index));
  const at = within(place.at ?? last);
  const page = Math.max(1, Math.round((last - first) * PAGE));
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: place.at === null && !shiftKey ? at : at - 1,
    ArrowRight: at + 1,
    PageUp: at - page,
    PageDown: at + page,
    Home: first,
    End: last,
  };
  const to = steps[key];
  if (to !== undefined) return { at: within(to), from: shiftKey ? (place.from ?? at) : null };
  if (key === 'Enter') return place.from !== null && place.from !== place.at ? 'zoom' : null;
  if (key === 'Escape') return place.at === null && place.from === null ? null : NO_PLACE;
  return null;
}

/** The stretch of time that was chosen, in seconds; a bar reaches up to the next one. */
export function chosenTimes(
  { at, from }: ChartPlace,
  times: readonly number[],
  bars: boolean,
): readonly [from: number, to: number] | null {
  if (at === null || from === null) return null;
  const [low, high] = [Math.min(at, from), Math.max(at, from)];
  const [start, end] = [times[low], times[high]];
  if (start === undefined || end === undefined) return null;
  return [start, bars ? (times[high + 1] ?? end + ((times[1] ?? 0) - (times[0] ?? 0))) : end];
}
