/** The closed sets of words of dashboards. Plain data: the renderer imports it without a schema library. */

export const PANEL_KINDS = ['timeseries', 'stat', 'gauge', 'bar', 'table', 'heatmap', 'logs'] as const;
export type PanelKind = (typeof PANEL_KINDS)[number];

/** `share`: 0 to 1, shown as percent. */
export const PANEL_UNITS = ['none', 'count', 'perSecond', 'ms', 'seconds', 'bytes', 'bytesPerSecond', 'share'] as const;
export type PanelUnit = (typeof PANEL_UNITS)[number];

/** What a series comes to where one number is shown. */
export const PANEL_REDUCERS = ['last', 'mean', 'min', 'max', 'sum'] as const;
export type PanelReducer = (typeof PANEL_REDUCERS)[number];

export const TONES = ['ok', 'warning', 'danger'] as const;
export type Tone = (typeof TONES)[number];

/** What happened, as upright lines over the time axis. */
export const MARK_KINDS = ['publications', 'kills', 'alerts'] as const;
export type MarkKind = (typeof MARK_KINDS)[number];

/** Panels lie on a grid of so many columns. */
export const GRID_COLUMNS = 24;
export const DASHBOARD_FORMAT = 1;
/** Ids of dashboards: what stands in their URL. */
export const DASHBOARD_ID = '^[a-z0-9][a-z0-9-]{0,63}$';
/** `$worker` in a filter or query stands for the values that are chosen for the variable. */
export const VARIABLE_NAME = '^[a-z][a-zA-Z0-9_]{0,31}$';
