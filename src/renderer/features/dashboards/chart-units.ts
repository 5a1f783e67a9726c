import type { PanelUnit } from '../../../contract/vocabulary.ts';
import type { ChartUnit } from '../../ui/chart-props.ts';

/** The unit of a chart for that of a panel. */
export const CHART_UNITS: Readonly<Record<PanelUnit, ChartUnit>> = {
  none: 'count',
  count: 'count',
  perSecond: 'perSecond',
  ms: 'ms',
  seconds: 'seconds',
  bytes: 'bytes',
  bytesPerSecond: 'bytesPerSecond',
  share: 'percent',
};
