import type { Filter, Query, StreamTag, Test, TimeSpec } from './ast.ts';
import { ipv4Text } from './numbers.ts';
import { printPipe } from './print-pipe.ts';
import { nameText, quoteText, valueText } from './quote.ts';

/** A query as text: parsed again, it is the same. */
export function printQuery({ options, filter, pipes }: Query): string {
  const head =
    options.length === 0
      ? ''
      : `options(${options.map(([name, value]) => `${nameText(name)}=${valueText(value)}`).join(', ')}) `;
  return [head + printFilter(filter), ...pipes.map((pipe) => printPipe(pipe, printFilter, printQuery))].join(' | ');
}

export function printFilter(filter: Filter): string {
  switch (filter.kind) {
    case 'all':
      return '*';
    case 'none':
      return 'in()';
    case 'and':
    case 'or':
      return filter.parts
        .map((part) => (part.kind === 'and' || part.kind === 'or' ? `(${printFilter(part)})` : printFilter(part)))
        .join(filter.kind === 'or' ? ' or ' : ' ');
    case 'not':
      return filter.part.kind === 'and' || filter.part.kind === 'or'
        ? `!(${printFilter(filter.part)})`
        : `!${printFilter(filter.part)}`;
    case 'time':
      return `_time:${[printTime(filter.spec), ...(filter.offset === null ? [] : [`offset ${filter.offset}`])].filter((part) => part !== '').join(' ')}`;
    case 'stream':
      return `{${filter.groups.map((tags) => tags.map(printTag).join(',')).join(' or ')}}`;
    case 'field':
      return `${nameText(filter.field)}:${printTest(filter.test)}`;
  }
}

function printTag({ name, op, values }: StreamTag): string {
  return op === 'in' || op === 'not_in'
    ? `${nameText(name)} ${op} (${values.map(quoteText).join(',')})`
    : `${nameText(name)}${op}${quoteText(values[0] ?? '')}`;
}

function printTime(spec: TimeSpec): string {
  switch (spec.kind) {
    case 'ever':
      return '';
    case 'at':
      return timeText(spec.text);
    case 'compare':
      return spec.op + timeText(spec.text);
    case 'range':
      return `${spec.lowIn ? '[' : '('}${timeText(spec.low)}, ${timeText(spec.high)}${spec.highIn ? ']' : ')'}`;
    case 'day_range':
      return `day_range${spec.lowIn ? '[' : '('}${minutes(spec.low)}, ${minutes(spec.high)}${spec.highIn ? ']' : ')'}`;
    case 'week_range':
      return `week_range${spec.low > 6 ? '(Sat' : `[${DAYS[spec.low]}`}, ${spec.high < 0 ? 'Sun)' : `${DAYS[spec.high]}]`}`;
  }
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const minutes = (value: number): string =>
  `${String(Math.floor(value / 60)).padStart(2, '0')}:${String(value % 60).padStart(2, '0')}`;
const timeText = (text: string): string =>
  /^[\w.:+/-]+$/.test(text) && text.toLowerCase() !== 'offset' ? text : quoteText(text);

const star = (prefix: boolean): string => (prefix ? '*' : '');

function printTest(test: Test): string {
  switch (test.kind) {
    case 'phrase':
      return test.fold ? `i(${quoteText(test.text)}${star(test.prefix)})` : quoteText(test.text) + star(test.prefix);
    case 'exact':
      return `=${quoteText(test.text)}${star(test.prefix)}`;
    case 'substring':
      return `*${quoteText(test.text)}*`;
    case 'present':
      return '*';
    case 'regexp':
      return `~${quoteText(test.pattern)}`;
    case 'seq':
      return `seq(${test.texts.map(quoteText).join(', ')})`;
    case 'in':
    case 'contains_all':
    case 'contains_any':
      return `${test.kind}(${test.values.map(quoteText).join(', ')})`;
    case 'in_query':
      return `${test.of}(${printQuery(test.query)})`;
    case 'compare':
      return test.op + quoteText(test.bound);
    case 'range':
      return `range${test.lowIn ? '[' : '('}${quoteText(test.low)}, ${quoteText(test.high)}${test.highIn ? ']' : ')'}`;
    case 'len_range':
      return `len_range(${test.low}, ${test.high ?? 'inf'})`;
    case 'string_range':
      return `string_range(${quoteText(test.low)}, ${quoteText(test.high)})`;
    case 'ipv4_range':
      return `ipv4_range(${ipv4Text(test.low)}, ${ipv4Text(test.high)})`;
    case 'eq_field':
    case 'lt_field':
    case 'le_field':
      return `${test.kind}(${nameText(test.other)})`;
  }
}
