import type { AlertQuery, AlertRule, PreviewBody, RuleDraft } from '../../../../contract/alert-rules.ts';
import type { ThresholdOperator, Reducer, Severity } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { secondsIn, durationText } from '../shared/labels.ts';

/** A rule as it is typed. Spans are texts such as `5m`. */
export interface RuleFields {
  name: string;
  source: AlertQuery['source'];
  measurement: string;
  field: string;
  aggregate: Extract<AlertQuery, { source: 'metrics' }>['aggregate'];
  groupBy: string;
  filters: string;
  logs: string;
  reducer: Reducer;
  op: ThresholdOperator;
  value: string;
  upper: string;
  range: string;
  interval: string;
  wait: string;
  keep: string;
  noData: AlertRule['noData'];
  onError: AlertRule['onError'];
  severity: Severity;
  summary: string;
  description: string;
  labels: string;
  /** '*': of everything. */
  project: string;
}

const listText = (values: readonly string[] = []): string => values.join(', ');
const pairsText = (record: Readonly<Record<string, string | readonly string[]>>): string =>
  Object.entries(record)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : value.join('|')}`)
    .join(', ');

/** What a rule is about that is of no project. */
export const EVERYTHING = '*';

/** `project`: of a new rule. */
export function fieldsFromRule(rule: AlertRule | null, project = EVERYTHING): RuleFields {
  const query = rule?.query ?? {
    source: 'metrics' as const,
    measurement: 'task_metrics',
    field: 'counter_error_count',
    aggregate: 'sum' as const,
    groupBy: ['workflow_id'],
  };
  const metrics = query.source === 'metrics' ? query : null;
  return {
    name: rule?.name ?? '',
    source: query.source,
    measurement: metrics?.measurement ?? 'task_metrics',
    field: metrics?.field ?? 'counter_error_count',
    aggregate: metrics?.aggregate ?? 'sum',
    groupBy: query.source === 'logs' ? (query.groupBy ?? '') : listText(metrics?.groupBy),
    filters: pairsText(metrics?.filters ?? {}),
    logs: query.source === 'logs' ? query.query : 'level:ERROR -draft:true',
    reducer: rule?.reducer ?? 'last',
    op: rule?.threshold.op ?? 'gt',
    value: String(rule?.threshold.value ?? 10),
    upper: rule?.threshold.upper === undefined ? '' : String(rule.threshold.upper),
    range: durationText(rule?.rangeSeconds ?? 300),
    interval: durationText(rule?.intervalSeconds ?? 60),
    wait: durationText(rule?.forSeconds ?? 60),
    keep: durationText(rule?.keepFiringSeconds ?? 0),
    noData: rule?.noData ?? 'OK',
    onError: rule?.onError ?? 'Error',
    severity: rule?.severity ?? 'warning',
    summary: rule?.annotations['summary'] ?? '',
    description: rule?.annotations['description'] ?? '',
    labels: pairsText(rule?.labels ?? {}),
    project: rule === null ? project : (rule.project ?? EVERYTHING),
  };
}

const names = (text: string): string[] => text.split(/[\s,]+/).filter((name) => name !== '');
/** `a=b, c=d`; null where a part has no `=`. */
function pairs(text: string): [string, string][] | null {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const found = parts.map((part): [string, string] => [
    part.slice(0, part.indexOf('=')).trim(),
    part.slice(part.indexOf('=') + 1).trim(),
  ]);
  return parts.every((part) => part.indexOf('=') > 0) ? found : null;
}

export type FieldErrors = Partial<Record<keyof RuleFields, string>>;

/** What is wrong with what was typed, by field. */
export function ruleFieldErrors(fields: RuleFields): FieldErrors {
  const faults: FieldErrors = {};
  if (fields.name.trim() === '') faults.name = t('Name is required.');
  if (fields.value.trim() === '' || !Number.isFinite(Number(fields.value))) faults.value = 'A number.';
  if (
    (fields.op === 'within' || fields.op === 'outside') &&
    (fields.upper.trim() === '' || !Number.isFinite(Number(fields.upper)))
  )
    faults.upper = 'A number.';
  for (const name of ['range', 'interval', 'wait', 'keep'] as const)
    if (secondsIn(fields[name]) === null) faults[name] = t('For example 30s, 5m or 1h.');
  if (pairs(fields.labels) === null) faults.labels = t('Use name=value, separated by commas.');
  if (fields.source === 'metrics') {
    if (fields.measurement.trim() === '') faults.measurement = t('Required.');
    if (fields.field.trim() === '') faults.field = t('Required.');
    if (pairs(fields.filters) === null) faults.filters = t('Use tag=value, separated by commas.');
  }
  if (fields.source === 'logs' && fields.logs.trim() === '')
    faults.logs = t('Enter a LogsQL query, or * for all lines.');
  return faults;
}

function queryOf(fields: RuleFields): AlertQuery {
  if (fields.source === 'logs')
    return {
      source: 'logs',
      query: fields.logs.trim(),
      ...(fields.groupBy.trim() === '' ? {} : { groupBy: fields.groupBy.trim() }),
    };
  const filters = Object.fromEntries((pairs(fields.filters) ?? []).map(([name, value]) => [name, value.split('|')]));
  return {
    source: 'metrics',
    measurement: fields.measurement.trim(),
    field: fields.field.trim(),
    aggregate: fields.aggregate,
    groupBy: names(fields.groupBy),
    filters,
  };
}

const seconds = (text: string): number => secondsIn(text) ?? 0;
const thresholdOf = ({ op, value, upper }: RuleFields): RuleDraft['threshold'] => ({
  op,
  value: Number(value),
  ...(op === 'within' || op === 'outside' ? { upper: Number(upper) } : {}),
});

/** The fields as the API takes them; those of a built-in rule keep its query. */
export function ruleFromFields(fields: RuleFields, rule: AlertRule | null): RuleDraft {
  const { summary: _summary, description: _description, ...others } = rule?.annotations ?? {};
  return {
    name: fields.name.trim(),
    query: fields.source === 'engine' && rule ? rule.query : queryOf(fields),
    reducer: fields.source === 'logs' ? 'sum' : fields.reducer,
    threshold: thresholdOf(fields),
    rangeSeconds: seconds(fields.range),
    intervalSeconds: seconds(fields.interval),
    forSeconds: seconds(fields.wait),
    keepFiringSeconds: seconds(fields.keep),
    noData: fields.noData,
    onError: fields.onError,
    severity: fields.severity,
    annotations: {
      ...others,
      ...(fields.summary.trim() === '' ? {} : { summary: fields.summary.trim() }),
      ...(fields.description.trim() === '' ? {} : { description: fields.description.trim() }),
    },
    labels: Object.fromEntries(pairs(fields.labels) ?? []),
    ...(fields.project === EVERYTHING ? {} : { project: fields.project }),
  };
}

/** What the preview asks; null: too little is typed yet. */
export function previewRequest(fields: RuleFields, rule: AlertRule | null): PreviewBody | null {
  const { name: _name, ...faults } = ruleFieldErrors(fields);
  if (Object.keys(faults).length > 0) return null;
  const { query, reducer, threshold, rangeSeconds, intervalSeconds, forSeconds, project } = ruleFromFields(
    fields,
    rule,
  );
  if (query.source === 'engine' && query.signal !== 'failureRate') return null;
  return {
    query,
    threshold,
    ...(reducer ? { reducer } : {}),
    ...(rangeSeconds ? { rangeSeconds } : {}),
    ...(intervalSeconds ? { intervalSeconds } : {}),
    forSeconds: forSeconds ?? 0,
    ...(project === undefined ? {} : { project }),
  };
}
