/** Names of series as Prometheus has them, of measurements, fields and tags. */

/** How a field becomes series. */
export interface FieldName {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** Of a histogram without `_bucket`, `_sum` and `_count`. */
  readonly name: string;
  /** What its values are multiplied with: times are in seconds. */
  readonly factor: number;
}

const PREFIX = 'yardmaster_';

/** `task_metrics`, `counter_input_event_count` → `yardmaster_task_input_events_total`; `timer_run_ms` → the histogram `yardmaster_task_run_seconds`. */
export function fieldName(measurement: string, field: string): FieldName {
  const prefix = `${PREFIX}${clean(measurement.replace(/_metrics$/, ''))}_`;
  const [, kind = '', rest = field] = /^(counter|gauge|timer)_(.+)$/s.exec(field) ?? [];
  const base = clean(rest);
  if (kind === 'counter') return { kind: 'counter', name: `${prefix}${base.replace(/_count$/, 's')}_total`, factor: 1 };
  if (kind === 'timer')
    return { kind: 'histogram', name: `${prefix}${base.replace(/_ms$/, '')}_seconds`, factor: 0.001 };
  if (base.endsWith('_ms')) return { kind: 'gauge', name: `${prefix}${base.slice(0, -3)}_seconds`, factor: 0.001 };
  return { kind: 'gauge', name: `${prefix}${base}`, factor: 1 };
}

/** A tag that is no label: a job, a task, and the worker of a task have too many values. Null: it is left out. */
export function labelName(measurement: string, tag: string): string | null {
  if (tag === 'job_id' || tag === 'task_id') return null;
  if (tag === 'worker_id' && measurement === 'task_metrics') return null;
  const name = clean(tag);
  return RESERVED.has(name) || name.startsWith('__') ? `tag_${name}` : name;
}
const RESERVED = new Set(['le', 'instance', 'job', 'quantile']);

const clean = (text: string): string => text.replaceAll(/[^a-zA-Z0-9_]/g, '_').replace(/^(?=\d)/, '_');
