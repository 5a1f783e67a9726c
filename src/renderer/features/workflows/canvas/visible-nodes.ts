/** Nodes that come into sight at once at most: with its style, place and paint each costs more than a millisecond. */
export const NODES_PER_FRAME = 24;

/** Nodes in sight, and those of them that wait for one of the next frames. */
export interface VisibleNodes {
  readonly seen: ReadonlySet<string>;
  readonly late: ReadonlySet<string>;
}
export const NO_NODES: VisibleNodes = { seen: new Set(), late: new Set() };

/** The sight after the canvas moved, or a frame went by: `room` more nodes may be drawn; those that are drawn stay. */
export function nextVisibleNodes({ seen, late }: VisibleNodes, inSight: readonly string[], room: number): VisibleNodes {
  const waits = new Set<string>();
  let left = room;
  for (const id of inSight) {
    if (seen.has(id) && !late.has(id)) continue;
    if (left > 0) left--;
    else waits.add(id);
  }
  return { seen: new Set(inSight), late: waits };
}
