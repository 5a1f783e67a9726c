import type { ByField, Filter, MathExpr, Name, Pipe, Query, StatsCall } from './ast.ts';
import { nameText, quoteText } from './quote.ts';

type PrintFilter = (filter: Filter) => string;

export function printPipe(pipe: Pipe, printFilter: PrintFilter, printQuery: (query: Query) => string): string {
  const condition = (filter: Filter | null): string => (filter === null ? '' : ` if (${printFilter(filter)})`);
  switch (pipe.kind) {
    case 'fields':
    case 'delete':
      return `${pipe.kind} ${list(pipe.names)}`;
    case 'rename':
    case 'copy':
      return `${pipe.kind} ${pipe.pairs.map(([from, to]) => `${list([from])} as ${list([to])}`).join(', ')}`;
    case 'sort': {
      const [only] = pipe.by;
      const keys =
        only?.field === ''
          ? star(only.desc)
          : ` by (${pipe.by.map(({ field, desc }) => nameText(field) + star(desc)).join(', ')})`;
      return `sort${keys}${pipe.offset > 0 ? ` offset ${pipe.offset}` : ''}${limit(pipe.limit)}${pipe.partition.length > 0 ? ` partition by (${names(pipe.partition)})` : ''}${as(' rank as ', pipe.rank)}`;
    }
    case 'limit':
    case 'offset':
    case 'sample':
      return `${pipe.kind} ${pipe.n}`;
    case 'uniq':
      return `uniq by (${names(pipe.by)})${pipe.hits === null ? '' : ' with hits'}${limit(pipe.limit)}`;
    case 'top':
      return `top ${pipe.n} by (${names(pipe.by)}) hits as ${nameText(pipe.hits)}${as(' rank as ', pipe.rank)}`;
    case 'filter':
      return `filter ${printFilter(pipe.filter)}`;
    case 'stats':
      return `stats ${pipe.by.length === 0 ? '' : `by (${pipe.by.map(by).join(', ')}) `}${pipe.calls.map((one) => call(one, condition)).join(', ')}`;
    case 'facets':
      return `facets ${pipe.n} max_values_per_field ${pipe.maxValues} max_value_len ${pipe.maxLength}${pipe.keepConst ? ' keep_const_fields' : ''}`;
    case 'field_names':
      return `field_names as ${nameText(pipe.as)}`;
    case 'field_values':
      return `field_values ${nameText(pipe.field)}${limit(pipe.limit)}`;
    case 'unpack_json':
    case 'unpack_logfmt':
      return `${pipe.kind}${condition(pipe.condition)} from ${nameText(pipe.from)}${pipe.fields.length > 0 ? ` fields (${names(pipe.fields)})` : ''}${pipe.prefix === '' ? '' : ` result_prefix ${quoteText(pipe.prefix)}`}${flags(pipe)}`;
    case 'extract':
    case 'extract_regexp':
      return `${pipe.kind}${condition(pipe.condition)} ${quoteText(pipe.pattern)} from ${nameText(pipe.from)}${flags(pipe)}`;
    case 'format':
      return `format${condition(pipe.condition)} ${quoteText(pipe.pattern)} as ${nameText(pipe.as)}${flags(pipe)}`;
    case 'math':
      return `math ${pipe.steps.map(({ expr, as: name }) => `${math(expr)} as ${nameText(name)}`).join(', ')}`;
    case 'replace':
    case 'replace_regexp':
      return `${pipe.kind}${condition(pipe.condition)} (${quoteText(pipe.find)}, ${quoteText(pipe.by)}) at ${nameText(pipe.at)}${limit(pipe.limit)}`;
    case 'len':
    case 'json_array_len':
      return `${pipe.kind}(${nameText(pipe.field)}) as ${nameText(pipe.as)}`;
    case 'unroll':
      return `unroll by (${names(pipe.by)})`;
    case 'drop_empty_fields':
      return pipe.kind;
    case 'pack_json':
    case 'pack_logfmt':
      return `${pipe.kind}${pipe.fields.length > 0 ? ` fields (${list(pipe.fields)})` : ''} as ${nameText(pipe.as)}`;
    case 'decolorize':
      return `decolorize ${nameText(pipe.field)}`;
    case 'union':
      return `union (${printQuery(pipe.query)})`;
    case 'join':
      return `join by (${names(pipe.by)}) (${printQuery(pipe.query)})${pipe.inner ? ' inner' : ''}${pipe.prefix === '' ? '' : ` prefix ${quoteText(pipe.prefix)}`}`;
    case 'stream_context':
      return `stream_context${pipe.before > 0 ? ` before ${pipe.before}` : ''}${pipe.after > 0 ? ` after ${pipe.after}` : ''}`;
  }
}

const names = (fields: readonly string[]): string => fields.map(nameText).join(', ');
const list = (patterns: readonly Name[]): string =>
  patterns.map(({ name, prefix }) => (prefix ? (name === '' ? '*' : `${nameText(name)}*`) : nameText(name))).join(', ');
const star = (desc: boolean): string => (desc ? ' desc' : '');
const limit = (n: number | null): string => (n === null ? '' : ` limit ${n}`);
const as = (before: string, name: string | null): string => (name === null ? '' : before + nameText(name));
const flags = ({ keep, skipEmpty }: { keep: boolean; skipEmpty: boolean }): string =>
  (keep ? ' keep_original_fields' : '') + (skipEmpty ? ' skip_empty_results' : '');

function by({ field, step, offset }: ByField): string {
  return `${nameText(field)}${step === null ? '' : `:${/^[\w/.+-]+$/.test(step) ? step : quoteText(step)}`}${offset === null ? '' : ` offset ${offset}`}`;
}

function call(
  { name, fields, phi, limit: n, condition: filter, as: result }: StatsCall,
  condition: (filter: Filter | null) => string,
): string {
  const args = [...(phi === null ? [] : [String(phi)]), ...fields.map(nameText)];
  return `${name}(${args.length === 0 ? '*' : args.join(', ')})${limit(n)}${condition(filter)} as ${nameText(result)}`;
}

function math(expr: MathExpr): string {
  if (expr.kind === 'number') return expr.text;
  if (expr.kind === 'field') return quoteText(expr.name);
  const args = expr.args.map(math);
  if (expr.name === 'neg') return `-(${args[0]})`;
  return /^\w/.test(expr.name) && expr.name !== 'default'
    ? `${expr.name}(${args.join(', ')})`
    : `(${args.join(` ${expr.name} `)})`;
}
