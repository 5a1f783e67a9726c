import type { PanelQuery } from '../../../contract/dashboards.ts';
import type { PanelUnit } from '../../../contract/vocabulary.ts';

type MetricQuery = Extract<PanelQuery, { source: 'metrics' }>;

/** The unit that a field's name tells of. */
export function unitForQuery({ field, aggregate }: Pick<MetricQuery, 'field' | 'aggregate'>): PanelUnit {
  const bytes = /bytes?(_count)?$|memory/.test(field);
  if (aggregate === 'count') return 'count';
  if (aggregate === 'rate') return bytes ? 'bytesPerSecond' : 'perSecond';
  if (bytes) return 'bytes';
  if (field.endsWith('_ms')) return 'ms';
  if (field.endsWith('_seconds')) return 'seconds';
  if (/_rate$|throughput/.test(field)) return 'perSecond';
  return /usage|share|ratio/.test(field) ? 'share' : 'count';
}
