import type { DashboardDefinition, Panel, PanelQuery } from '../../../../contract/dashboards.ts';
import { DASHBOARD_FORMAT, GRID_COLUMNS } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';

/** What can be done to the panels of a dashboard that is being edited. Nothing changes what it is given. */

type Grid = Panel['grid'];
export const MIN_WIDTH = 2;
export const MIN_HEIGHT = 2;
const MAX_HEIGHT = 100;

/** The same grid within the columns. */
const within = ({ x, y, w, h }: Grid): Grid => {
  const width = clamp(w, MIN_WIDTH, GRID_COLUMNS);
  return { x: clamp(x, 0, GRID_COLUMNS - width), y: Math.max(0, y), w: width, h: clamp(h, MIN_HEIGHT, MAX_HEIGHT) };
};
const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
const overlap = (a: Grid, b: Grid): boolean => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

/** Puts a panel at a place. Those in its way move down, and so on; rows that nothing stands in close. */
export function placePanel(panels: readonly Panel[], id: string, grid: Grid): Panel[] {
  const moved = panels.find((panel) => panel.id === id);
  if (!moved) return [...panels];
  const done: Panel[] = [{ ...moved, grid: within(grid) }];
  for (const panel of panels
    .filter((one) => one.id !== id)
    .sort((a, b) => a.grid.y - b.grid.y || a.grid.x - b.grid.x)) {
    let { y } = panel.grid;
    for (;;) {
      const block = done.find((one) => overlap(one.grid, { ...panel.grid, y }));
      if (!block) break;
      y = block.grid.y + block.grid.h;
    }
    done.push({ ...panel, grid: { ...panel.grid, y } });
  }
  return panels.map((panel) => done.find((one) => one.id === panel.id) ?? panel);
}

/** Takes rows away that no panel stands in. */
export function compactRows(panels: readonly Panel[]): Panel[] {
  const sorted = [...panels].sort((a, b) => a.grid.y - b.grid.y);
  const shift = new Map<string, number>();
  let end = 0;
  let gap = 0;
  for (const { id, grid } of sorted) {
    gap += Math.max(0, grid.y - end);
    end = Math.max(end, grid.y + grid.h);
    shift.set(id, gap);
  }
  return panels.map((panel) => ({ ...panel, grid: { ...panel.grid, y: panel.grid.y - (shift.get(panel.id) ?? 0) } }));
}

/** What an arrow key does to a panel: it moves it; with Shift it sizes it. Null: no such key. */
export function movePanelByKey({ x, y, w, h }: Grid, key: string, sizes: boolean): Grid | null {
  const step = STEPS[key];
  if (!step) return null;
  const [across, down] = step;
  // A panel that is moved stays as wide as it is; one that is sized stays where it is.
  return sizes
    ? { x, y, w: clamp(w + across, MIN_WIDTH, GRID_COLUMNS - x), h: clamp(h + down, MIN_HEIGHT, MAX_HEIGHT) }
    : within({ x: x + across, y: y + down, w, h });
}
const STEPS: Readonly<Record<string, readonly [across: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const below = (panels: readonly Panel[]): number =>
  panels.reduce((most, { grid }) => Math.max(most, grid.y + grid.h), 0);
/** Where a panel of so many columns and rows is added: beside those of the last row where there is room, else below all of them. */
function added(panels: readonly Panel[], w: number, h: number): Grid {
  const y = panels.reduce((most, { grid }) => Math.max(most, grid.y), 0);
  for (let x = 0; x + w <= GRID_COLUMNS; x++)
    if (!panels.some(({ grid }) => overlap(grid, { x, y, w, h }))) return { x, y, w, h };
  return { x: 0, y: below(panels), w, h };
}

/** An id that no panel has yet. */
function freshPanelId(panels: readonly Panel[]): string {
  for (let n = panels.length + 1; ; n++) if (!panels.some(({ id }) => id === `panel-${n}`)) return `panel-${n}`;
}

export const FIRST_QUERY: PanelQuery = {
  source: 'metrics',
  measurement: 'job_metrics',
  field: 'timer_total_ms',
  aggregate: 'count',
};
export const newPanel = (panels: readonly Panel[], query: PanelQuery = FIRST_QUERY, title = t('New panel')): Panel => ({
  id: freshPanelId(panels),
  title,
  kind: 'timeseries',
  grid: added(panels, 12, 8),
  unit: 'count',
  queries: [query],
  min: 0,
});
export const copyOfPanel = (panels: readonly Panel[], panel: Panel): Panel => ({
  ...structuredClone(panel),
  id: freshPanelId(panels),
  title: `${panel.title} (copy)`.slice(0, 200),
  grid: added(panels, panel.grid.w, panel.grid.h),
});

export const emptyDashboard = (title: string): DashboardDefinition => ({
  formatVersion: DASHBOARD_FORMAT,
  title,
  description: '',
  time: { last: '1h', refreshSeconds: 15 },
  variables: [],
  panels: [],
});

/** The object with a key set, or without it where the value is undefined. */
export function putPanel<T extends object, K extends keyof T>(target: T, key: K, value: T[K] | undefined): T {
  const next = { ...target };
  if (value === undefined) delete next[key];
  else next[key] = value;
  return next;
}

/** The list with one item replaced, or taken out where `next` is null. */
export const replacePanel = <T>(list: readonly T[], at: number, next: T | null): T[] =>
  list.flatMap((one, i) => (i !== at ? [one] : next === null ? [] : [next]));
