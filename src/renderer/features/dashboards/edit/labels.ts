import type { MarkKind, PanelKind, PanelUnit, Tone } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';

/** The closed sets of dashboards as people read them. */
export const KIND_WORDS: Readonly<Record<PanelKind, string>> = {
  timeseries: t('Time series'),
  stat: t('Stat'),
  gauge: t('Gauge'),
  bar: t('Bar chart'),
  table: 'Table',
  heatmap: t('Heatmap'),
  logs: t('Log lines'),
};
export const UNIT_WORDS: Readonly<Record<PanelUnit, string>> = {
  none: t('No unit'),
  count: t('Count'),
  perSecond: t('Per second'),
  ms: t('Milliseconds'),
  seconds: t('Seconds'),
  bytes: t('Bytes'),
  bytesPerSecond: t('Bytes per second'),
  share: t('Percent (0–1)'),
};
export const TONE_WORDS: Readonly<Record<Tone, string>> = { ok: t('OK'), warning: t('Warning'), danger: t('Critical') };
export const MARK_WORDS: Readonly<Record<MarkKind, string>> = {
  publications: t('Publications'),
  kills: t('Kills'),
  alerts: t('Alerts'),
};
