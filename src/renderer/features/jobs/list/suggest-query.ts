import { t } from '../../../../lib/language.ts';
import { ENVIRONMENTS, JOB_KINDS, TASK_CODES } from '../../../../contract/vocabulary.ts';
import { completeJobQuery, type QueryCompletion } from '../../../../lib/job-query/complete.ts';
import { fieldInfo, type QueryField } from '../../../../lib/job-query/fields.ts';
import { queryValue } from '../../../../lib/job-query/print.ts';

export interface QuerySuggestion {
  readonly label: string;
  /** Replaces the line from `from` to `to`. */
  readonly insert: string;
  readonly from: number;
  readonly to: number;
  readonly hint: string;
}

/** What is known of the jobs there are: values by field, and by the path of an input or the name of a label. */
export interface KnownValues {
  readonly values: ReadonlyMap<QueryField, readonly string[]>;
  readonly paths: ReadonlyMap<string, readonly string[]>;
  readonly labels: ReadonlyMap<string, readonly string[]>;
}

const HINTS: Readonly<Record<QueryField, string>> = {
  status: t('as shown here'),
  workflow: t('ID of the workflow'),
  environment: ENVIRONMENTS.join(', '),
  input: t('a value of the input'),
  label: t('a label'),
  error: t('text of the error'),
  code: t('code of the error'),
  node: t('node that failed'),
  duration: t('from creation to end'),
  age: t('time since creation'),
  attempts: t('most attempts of a task'),
  worker: t('worker that ran a task'),
  version: t('hash, number or tag'),
  id: t('beginning of an ID'),
  externalId: t('ID of the caller'),
  trigger: t('what started it'),
  triggerId: t('schedule or webhook'),
  kind: JOB_KINDS.join(', '),
  text: t('words in the input'),
  inputs: t('number of inputs'),
  priority: t('higher runs first'),
  created: t('date or time'),
  finished: t('date or time'),
  project: t('ID of the project'),
  failure: t('ID of a failure group'),
  trace: t('ID of a trace'),
};

/** Values with their operators, for fields whose values are compared. */
const EXAMPLES: Readonly<Partial<Record<QueryField, readonly string[]>>> = {
  duration: ['>1s', '>5s', '>1m', '<1s', '1s..1m'],
  age: ['<15m', '<1h', '<24h', '<7d', '>1d'],
  attempts: ['>=2', '>=3', '1'],
  inputs: ['>1', '>100'],
  priority: ['>0', '<0'],
};
const MOST = 12;

/** What fits at the caret: fields, names and values, also with the operators that a field takes. */
export function suggestQuery(line: string, caret: number, known: KnownValues): QuerySuggestion[] {
  const at = completeJobQuery(line, caret);
  return offersOf(line, at, known)
    .filter(({ insert }) => insert.trim() !== line.slice(at.from, at.to))
    .slice(0, MOST);
}

function offersOf(line: string, { offer, from, to, typed }: QueryCompletion, known: KnownValues): QuerySuggestion[] {
  const one = (label: string, insert: string, hint: string): QuerySuggestion => ({ label, insert, from, to, hint });
  if (offer.kind === 'fields')
    return offer.fields.map((field) => {
      const text = fieldInfo(field).named === undefined ? `${field}:` : `${field}.`;
      return one(text, text, HINTS[field]);
    });
  if (offer.kind === 'names') {
    const names = [...(offer.field === 'input' ? known.paths : known.labels).keys()];
    return matching(names, typed).map((name) => one(`${offer.field}.${name}:`, `${name}:`, HINTS[offer.field]));
  }
  const { field, name } = offer;
  const info = fieldInfo(field);
  // Behind an operator only values fit.
  const bare = line[from - 1] === ':' || line[from - 1] === ',';
  const values =
    info.words ??
    (field === 'input'
      ? known.paths.get(name ?? '')
      : field === 'label'
        ? known.labels.get(name ?? '')
        : field === 'code'
          ? [...TASK_CODES, 'RUN_TIMEOUT', 'SCHEDULE_TIMEOUT']
          : known.values.get(field)) ??
    [];
  const examples = bare ? (EXAMPLES[field] ?? []).filter((example) => example.startsWith(typed)) : [];
  return [
    ...matching(values, typed).map((value) => one(value, `${queryValue(value)} `, HINTS[field])),
    ...examples.map((example) => one(example, `${example} `, HINTS[field])),
    ...(bare && typed === '' ? operators(field).map(([label, insert, hint]) => one(label, insert, hint)) : []),
  ];
}

function operators(field: QueryField): (readonly [label: string, insert: string, hint: string])[] {
  const { kind, always } = fieldInfo(field);
  return [
    ...(always === true ? [] : [['*', '* ', t('has any value')] as const]),
    ...(kind === 'text' || kind === 'value' ? [['~', '~', t('contains')] as const] : []),
    ...(kind === 'value' || kind === 'time'
      ? [['>=', '>=', t('at least')] as const, ['<=', '<=', t('at most')] as const]
      : []),
  ];
}

/** Those that hold what is typed, first those that begin with it. */
function matching(values: readonly string[], typed: string): string[] {
  const low = typed.toLowerCase();
  const begins = (value: string) => Number(value.toLowerCase().startsWith(low));
  return values.filter((value) => value.toLowerCase().includes(low)).toSorted((a, b) => begins(b) - begins(a));
}
