import { DISPLAY_STATUSES, TRIGGER_KINDS, type DisplayStatus, type TriggerKind } from '../../../contract/vocabulary.ts';
import {
  queryDuration,
  queryNumber,
  queryTime,
  timeSpan,
  type QueryTerm,
  type QueryTest,
} from '../../../lib/job-query/fields.ts';
import { jobQueryTerms } from '../../../lib/job-query/parse.ts';
import type { Value } from '../../store/port.ts';
import type { Condition } from './job-filter.ts';

/** SQL over `job` with its values. Lists of values go in as they are, so that queries of one form share a statement. */
interface Sql {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** What the query says differently than the statuses and kinds of starts say it; given, so that there is one table of each. */
export interface QueryWords {
  displayed(status: DisplayStatus): string;
  trigger(kind: TriggerKind): string;
}

/**
 * The terms of a query as conditions of a list. Terms that look into inputs and labels are those of the search
 * (`search-terms.ts`). A column that is null meets no test, and so every negated one.
 */
export function queryConditions(query: string | undefined, words: QueryWords): Condition[] {
  if (query === undefined) return [];
  return jobQueryTerms(query).flatMap((term) => {
    if (term.field === 'input' || term.field === 'label' || term.field === 'text') return [];
    const tests = term.tests.map((test) => testSql(term, test, words));
    const any = `coalesce(${tests.map(({ sql }) => `(${sql})`).join(' OR ')}, 0)`;
    // Left bare, the planner may use an index of the column.
    const sql = term.not ? `NOT ${any}` : tests.length === 1 ? (tests[0]?.sql ?? 'true') : any;
    return { column: 'query', sql: `(${sql})`, values: tests.flatMap(({ values }) => [...values]), matches: null };
  });
}

function testSql({ field }: QueryTerm, test: QueryTest, words: QueryWords): Sql {
  switch (field) {
    case 'status':
      return plain(or(DISPLAY_STATUSES.filter((one) => one.toLowerCase() === valueOf(test)).map(words.displayed)));
    case 'trigger':
      return plain(or(TRIGGER_KINDS.filter((one) => one === valueOf(test)).map(words.trigger)));
    case 'workflow':
      return textSql('workflow_id', test);
    case 'environment':
      return textSql('environment', test);
    case 'kind':
      return textSql('kind', test);
    case 'externalId':
      return textSql('external_id', test);
    case 'triggerId':
      return textSql('trigger_id', test);
    case 'id':
      return idSql(test);
    case 'version':
      return versionSql(test);
    case 'error':
      return errorSql('failure_message', 'task.error_message', test);
    case 'code':
      return errorSql('failure_code', 'task.error_code', test);
    case 'node':
      return errorSql('failure_node', 'task.node', test);
    case 'duration':
      return numberSql('duration_ms', test, queryDuration);
    case 'inputs':
      return numberSql('input_count', test, queryNumber);
    case 'priority':
      return numberSql('priority', test, queryNumber);
    case 'created':
      return timeSql('created_at', test);
    case 'finished':
      return timeSql('finished_at', test);
    case 'attempts':
      return attemptsSql(test);
    case 'worker':
      return workerSql(test);
    // Ages are times by now, and the others are filters of the list (lib/job-query/with-query.ts).
    case 'age':
    case 'project':
    case 'failure':
    case 'trace':
    case 'input':
    case 'label':
    case 'text':
      return plain('true');
  }
}

const plain = (sql: string): Sql => ({ sql, values: [] });
const or = (parts: readonly string[]): string =>
  parts.length === 0 ? 'false' : parts.map((one) => `(${one})`).join(' OR ');
const valueOf = (test: QueryTest): string => ('value' in test ? test.value : '');

/** For LIKE: somewhere in the text, letters of either case. */
const within = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

function textSql(column: string, test: QueryTest): Sql {
  if (test.op === 'exists') return plain(`${column} IS NOT NULL`);
  return test.op === 'contains'
    ? { sql: `${column} LIKE ? ESCAPE '\\'`, values: [within(test.value)] }
    : { sql: `${column} = ?`, values: [valueOf(test)] };
}

/** As `q` of the list: the beginning of the ID or of the external ID. */
function idSql(test: QueryTest): Sql {
  const value = valueOf(test);
  if (test.op === 'contains')
    return {
      sql: "id LIKE ? ESCAPE '\\' OR external_id LIKE ? ESCAPE '\\'",
      values: [within(value), within(value)],
    };
  const end = `${value}\u{10ffff}`;
  return {
    sql: '(id >= ? AND id < ?) OR coalesce(external_id >= ? AND external_id < ?, 0)',
    values: [value, end, value, end],
  };
}

/** The hash or its beginning, a tag, or the number of the version. */
function versionSql(test: QueryTest): Sql {
  const value = valueOf(test);
  if (test.op === 'contains') return { sql: "commit_hash LIKE ? ESCAPE '\\'", values: [within(value)] };
  const [, digits] = /^[vV#]?(\d{1,9})$/.exec(value) ?? [];
  const prefix = /^[0-9a-f]{4,40}$/.test(value);
  const numbered =
    'SELECT hash FROM (SELECT hash, row_number() OVER (PARTITION BY workflow_id ORDER BY seq) AS number FROM version) WHERE number = ?';
  return {
    sql: `commit_hash IN (SELECT hash FROM version_tag WHERE tag = ?)${digits === undefined ? '' : ` OR commit_hash IN (${numbered})`}${prefix ? ' OR (commit_hash >= ? AND commit_hash < ?)' : ''}`,
    values: [value, ...(digits === undefined ? [] : [Number(digits)]), ...(prefix ? [value, `${value}g`] : [])],
  };
}

/** Jobs that have failures now: what they failed with stays in their rows when a retry has mended it. */
const FAILING = "status IN ('FAILED', 'PARTIAL_FAILURE', 'TIMEOUT', 'MIXED')";

/** By what the job failed with first, or any of its tasks that have failed. */
function errorSql(first: string, task: string, test: QueryTest): Sql {
  if (test.op === 'exists') return plain(FAILING);
  const one = textSql(first, test);
  const other = textSql(task, test);
  return {
    sql: `${FAILING} AND (coalesce(${one.sql}, 0) OR EXISTS (SELECT 1 FROM task WHERE task.job = job.seq AND task.error_code IS NOT NULL AND task.state <> 'COMPLETED' AND ${other.sql}))`,
    values: [...one.values, ...other.values],
  };
}

function numberSql(column: string, test: QueryTest, read: (text: string) => number | null): Sql {
  const at = (text: string) => read(text) ?? 0;
  switch (test.op) {
    case 'exists':
      return plain(`${column} IS NOT NULL`);
    case 'range':
      return { sql: `${column} BETWEEN ? AND ?`, values: [at(test.from), at(test.to)] };
    case 'is':
    case 'contains':
      return { sql: `${column} = ?`, values: [at(test.value)] };
    default:
      return { sql: `${column} ${test.op} ?`, values: [at(test.value)] };
  }
}

/** A date is a whole day: `<` is before it, `>` after it, and alone it is any time of it. */
function timeSql(column: string, test: QueryTest): Sql {
  const from = (text: string) => queryTime(text) ?? 0;
  const end = (text: string) => from(text) + timeSpan(text);
  switch (test.op) {
    case 'exists':
      return plain(`${column} IS NOT NULL`);
    case 'range':
      return { sql: `${column} >= ? AND ${column} < ?`, values: [from(test.from), end(test.to)] };
    case 'is':
    case 'contains':
      return { sql: `${column} >= ? AND ${column} < ?`, values: [from(test.value), end(test.value)] };
    case '>':
      return { sql: `${column} >= ?`, values: [end(test.value)] };
    case '>=':
      return { sql: `${column} >= ?`, values: [from(test.value)] };
    case '<':
      return { sql: `${column} < ?`, values: [from(test.value)] };
    case '<=':
      return { sql: `${column} < ?`, values: [end(test.value)] };
  }
}

/** The few tasks that were tried again have an index. */
const TRIED = 'seq IN (SELECT job FROM task INDEXED BY task_retried WHERE attempt > 1 AND attempt >= ?)';
const HAS_TASKS = "status <> 'EMPTY'";

/** By the most attempts of any of its tasks. */
function attemptsSql(test: QueryTest): Sql {
  const least = (n: number): Sql => (n <= 1 ? plain(n <= 0 ? 'true' : HAS_TASKS) : { sql: TRIED, values: [n] });
  const below = (n: number): Sql => {
    const { sql, values } = least(n);
    return { sql: `NOT (${sql})`, values };
  };
  const both = (a: Sql, b: Sql): Sql => ({ sql: `${a.sql} AND ${b.sql}`, values: [...a.values, ...b.values] });
  const number = (text: string) => queryNumber(text) ?? 0;
  switch (test.op) {
    case 'range':
      return both(least(Math.ceil(number(test.from))), below(Math.floor(number(test.to)) + 1));
    case '>':
      return least(Math.floor(number(test.value)) + 1);
    case '>=':
      return least(Math.ceil(number(test.value)));
    case '<':
      return below(Math.ceil(number(test.value)));
    case '<=':
      return below(Math.floor(number(test.value)) + 1);
    case 'exists':
      return plain(HAS_TASKS);
    default: {
      const n = number(test.value);
      return Number.isInteger(n) ? both(least(n), below(n + 1)) : plain('false');
    }
  }
}

/** A worker by the beginning of its ID, by its URL, or by the value of one of its labels; also of earlier attempts. */
function workerSql(test: QueryTest): Sql {
  if (test.op === 'exists')
    return plain('EXISTS (SELECT 1 FROM task WHERE task.job = job.seq AND task.worker_id IS NOT NULL)');
  const value = valueOf(test);
  const [known, ran, values]: [string, string, Value[]] =
    test.op === 'contains'
      ? [
          "worker.id LIKE ?1 ESCAPE '\\' OR worker.url LIKE ?1 ESCAPE '\\' OR worker.labels LIKE ?1 ESCAPE '\\'",
          "task.worker_id LIKE ?1 ESCAPE '\\'",
          [within(value)],
        ]
      : [
          '(worker.id >= ?1 AND worker.id < ?2) OR worker.url = ?1 OR EXISTS (SELECT 1 FROM json_each(worker.labels) WHERE json_each.value = ?1)',
          '(task.worker_id >= ?1 AND task.worker_id < ?2)',
          [value, `${value}\u{10ffff}`],
        ];
  const filled = inOrder(
    `EXISTS (SELECT 1 FROM task WHERE task.job = job.seq AND (${ran} OR EXISTS (SELECT 1 FROM worker WHERE (${known}) AND (worker.id = task.worker_id OR instr(task.entries, worker.id) > 0))))`,
    values,
  );
  return filled;
}

/** Numbered places become plain ones: conditions of a list are put together in the order of their values. */
function inOrder(sql: string, values: readonly Value[]): Sql {
  const found: Value[] = [];
  return {
    sql: sql.replaceAll(/\?(\d)/g, (_all, place: string) => {
      found.push(values[Number(place) - 1] ?? null);
      return '?';
    }),
    values: found,
  };
}
