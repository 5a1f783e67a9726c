import type { AlertRule } from '../../../../contract/alert-rules.ts';
import type { PanelUnit, Signal } from '../../../../contract/vocabulary.ts';
import { formatBytes, formatDuration } from '../../../ui/Duration.tsx';
import { formatShare } from '../../../ui/number-text.ts';
import { unitForQuery } from '../../dashboards/unit-for-query.ts';
import { numberText } from './labels.ts';

/** What is not counted. */
const SIGNAL_UNITS: Partial<Record<Signal, PanelUnit>> = {
  workersLost: 'seconds',
  failureRate: 'share',
  diskUsed: 'share',
  clusterLag: 'seconds',
  clusterFailovers: 'seconds',
  clusterAppend: 'ms',
  clusterProjectionLag: 'seconds',
  targetsBehind: 'seconds',
  approvalsWaiting: 'seconds',
};

/** The unit of the values of a rule. */
export function unitForRule({
  query,
  reducer,
}: Pick<AlertRule, 'query'> & Partial<Pick<AlertRule, 'reducer'>>): PanelUnit {
  if (query.source === 'engine') return SIGNAL_UNITS[query.signal] ?? 'count';
  return query.source === 'logs' || reducer === 'count' ? 'count' : unitForQuery(query);
}

/** A value with its unit; without one where the rule is not known any more. */
export function valueText(value: number | null, unit: PanelUnit = 'none'): string {
  if (value === null) return numberText(value);
  switch (unit) {
    case 'ms':
      return formatDuration(value);
    case 'seconds':
      return formatDuration(value * 1000);
    case 'bytes':
      return formatBytes(value);
    case 'bytesPerSecond':
      return `${formatBytes(value)}/s`;
    case 'perSecond':
      return `${numberText(value)}/s`;
    case 'share':
      return formatShare(value, 1, 0);
    case 'count':
    case 'none':
      return numberText(value);
  }
}
