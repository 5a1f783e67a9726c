import { instantIn, textIn, wordIn } from '../../ui/search-params.ts';
import type { ChosenVariables } from './panels/panel-data.ts';
import { RANGE_NAMES, type RangeName } from './panels/range.ts';

export const REFRESHES = ['off', '5s', '15s', '1m', '5m'] as const;
const EDIT_MODES = ['form', 'json'] as const;
export type Refresh = (typeof REFRESHES)[number];

/** View state of a dashboard. `from` and `to` (ISO) win over `range`; `panel` fills the window. */
export interface DashboardSearch {
  range?: RangeName;
  from?: string;
  to?: string;
  refresh?: Refresh;
  panel?: string;
  /** What is chosen for the variables. */
  vars?: ChosenVariables;
  /** It is being changed, by form or as JSON. */
  edit?: (typeof EDIT_MODES)[number];
}

export const parseDashboardSearch = (input: Record<string, unknown>): DashboardSearch => ({
  ...wordIn(input, 'range', RANGE_NAMES),
  ...instantIn(input, 'from'),
  ...instantIn(input, 'to'),
  ...wordIn(input, 'refresh', REFRESHES),
  ...textIn(input, 'panel'),
  ...varsIn(input['vars']),
  ...wordIn(input, 'edit', EDIT_MODES),
});

/** Lists of texts by name. */
export function varsIn(value: unknown): { vars?: ChosenVariables } {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return {};
  const found = Object.entries(value).flatMap(([name, values]): [string, string[]][] =>
    Array.isArray(values) && values.every((one) => typeof one === 'string') && values.length > 0
      ? [[name, values]]
      : [],
  );
  return found.length === 0 ? {} : { vars: Object.fromEntries(found) };
}
