/** The least and the most that a limit may be set to; a third value is allowed beside these. */
export type Bounds = readonly [least: number, most: number, or?: number];

/** What lies outside the bounds cripples the master or its workers, or is a slip of the hand. */
const limit =
  (taken: 'when needed' | 'at the start' | 'of each master') =>
  (value: number, ...bounds: Bounds) => ({ value, bounds, taken });
/** Read each time it is needed, so that it can be changed while the master runs. */
export const live = limit('when needed');
/** Taken at the start of the master. */
export const fixed = limit('at the start');
/** Taken before the settings are there, by each master for itself: only its environment sets it. */
export const ofMaster = limit('of each master');
