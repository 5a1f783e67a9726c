import type { MarkKind, PanelKind, PanelUnit, Tone } from '../../../contract/dashboard.ts';

/** The closed sets of dashboards as people read them. */
export const KIND_WORDS: Readonly<Record<PanelKind, string>> = { timeseries: 'Time series', stat: 'One number', gauge: 'Gauge', bar: 'Bars', table: 'Table', heatmap: 'Heat map', logs: 'Log lines' };
export const UNIT_WORDS: Readonly<Record<PanelUnit, string>> = { none: 'No unit', count: 'Count', perSecond: 'A second', ms: 'Milliseconds', seconds: 'Seconds', bytes: 'Bytes', bytesPerSecond: 'Bytes a second', share: 'Percent (of 0 to 1)' };
export const TONE_WORDS: Readonly<Record<Tone, string>> = { ok: 'Good', warning: 'Warning', danger: 'Danger' };
export const MARK_WORDS: Readonly<Record<MarkKind, string>> = { publications: 'Publications', kills: 'Kills', alerts: 'Alerts' };
