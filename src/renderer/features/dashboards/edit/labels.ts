import type { MarkKind, PanelKind, PanelUnit, Tone } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';

/** The closed sets of dashboards as people read them. */
export const KIND_WORDS: Readonly<Record<PanelKind, string>> = {
  timeseries: t('Time series'),
  stat: t('One number'),
  gauge: t('Gauge'),
  bar: t('Bars'),
  table: 'Table',
  heatmap: t('Heat map'),
  logs: t('Log lines'),
};
export const UNIT_WORDS: Readonly<Record<PanelUnit, string>> = {
  none: t('No unit'),
  count: t('Count'),
  perSecond: t('A second'),
  ms: t('Milliseconds'),
  seconds: t('Seconds'),
  bytes: t('Bytes'),
  bytesPerSecond: t('Bytes a second'),
  share: t('Percent (of 0 to 1)'),
};
export const TONE_WORDS: Readonly<Record<Tone, string>> = { ok: t('Good'), warning: t('Warning'), danger: t('Danger') };
export const MARK_WORDS: Readonly<Record<MarkKind, string>> = {
  publications: t('Publications'),
  kills: t('Kills'),
  alerts: t('Alerts'),
};
