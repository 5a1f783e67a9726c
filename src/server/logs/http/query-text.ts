import type { Name, Pipe, Query } from '../../../lib/logsql/ast.ts';
import { parseQuery } from '../../../lib/logsql/parse.ts';
import { tokensOf } from '../../../lib/logsql/tokens.ts';

/** A query that was cut at its top-level pipes; the texts stay as they were written. */
export interface QueryText {
  readonly filter: string;
  readonly pipes: readonly string[];
  readonly parsed: Query;
}

/** Throws QUERY_INVALID where it is no LogsQL. */
export function cutQuery(text: string): QueryText {
  const parsed = parseQuery(text);
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  let end = text.length;
  for (const token of tokensOf(text)) {
    if (token.kind !== 'sign') continue;
    if ('([{'.includes(token.text)) depth++;
    // A range may open with `[` and close with `)`: what counts is that each opens and closes once.
    else if (')]}'.includes(token.text)) depth--;
    else if (depth === 0 && token.text === '|') {
      parts.push(text.slice(from, token.at));
      from = token.end;
    } else if (depth === 0 && token.text === ';') end = token.at;
  }
  parts.push(text.slice(from, end));
  const [filter = '', ...pipes] = parts;
  return { filter, pipes, parsed };
}

/** Put together again; a line break before each pipe ends whatever comment stands before it. */
export const joinQuery = (filter: string, pipes: readonly string[]): string =>
  [filter.trim() === '' ? '*' : filter, ...pipes].join('\n| ');

/** Pipes behind which rows are no longer single records, or no longer all of them. */
const RESHAPING: ReadonlySet<Pipe['kind']> = new Set([
  'sort',
  'limit',
  'offset',
  'uniq',
  'top',
  'stats',
  'facets',
  'field_names',
  'field_values',
  'stream_context',
  'unroll',
  'union',
  'join',
]);

export const reshapes = (query: Query): boolean => query.pipes.some(({ kind }) => RESHAPING.has(kind));

const isTime = (name: string): boolean => name === '_time';
const namesTime = ({ name, prefix }: Name): boolean => (prefix ? '_time'.startsWith(name) : isTime(name));

/** True where each row behind the pipe is still a record with its own time. */
function keepsTime(pipe: Pipe): boolean {
  switch (pipe.kind) {
    case 'filter':
    case 'unpack_json':
    case 'unpack_logfmt':
    case 'decolorize':
    case 'sample':
    case 'drop_empty_fields':
    case 'unroll':
    case 'join':
      return true;
    case 'fields':
      return pipe.names.some(namesTime);
    case 'delete':
      return !pipe.names.some(namesTime);
    case 'rename':
      return !pipe.pairs.flat().some(namesTime);
    case 'copy':
      return !pipe.pairs.some(([, to]) => namesTime(to));
    case 'extract':
    case 'extract_regexp':
      return !pipe.pattern.includes('_time');
    case 'format':
    case 'len':
    case 'json_array_len':
    case 'pack_json':
    case 'pack_logfmt':
      return !isTime(pipe.as);
    case 'math':
      return !pipe.steps.some(({ as }) => isTime(as));
    case 'replace':
    case 'replace_regexp':
      return !isTime(pipe.at);
    case 'union':
      return pipe.query.pipes.every(keepsTime);
    case 'sort':
    case 'limit':
    case 'offset':
    case 'uniq':
    case 'top':
    case 'stats':
    case 'facets':
    case 'field_names':
    case 'field_values':
    case 'stream_context':
      return false;
  }
}

/** The first pipes, up to one behind which records can no longer be counted by their time: that one and all after it are left out, as VictoriaLogs does. */
export function countablePipes({ pipes, parsed }: QueryText): readonly string[] {
  const end = parsed.pipes.findIndex((pipe) => !keepsTime(pipe));
  return end < 0 ? pipes : pipes.slice(0, end);
}

/** The text of a `stats` pipe with `_time:step` among its groups; unchanged where time is one already. */
export function byTime(pipe: string, step: string, offset: string | null): string {
  const bucket = `_time:${step}${offset === null ? '' : ` offset ${offset}`}`;
  const tokens = tokensOf(pipe).filter(({ kind }) => kind !== 'end');
  let i = 0;
  const word = (text: string) => tokens[i]?.kind === 'word' && tokens[i]?.text.toLowerCase() === text;
  if (word('stats')) i++;
  const start = tokens[i]?.at ?? 0;
  if (word('by')) i++;
  const open = tokens[i];
  if (open?.text !== '(' || open.kind !== 'sign') return `${pipe.slice(0, start)}by (${bucket}) ${pipe.slice(start)}`;
  const empty = tokens[i + 1]?.text === ')';
  return `${pipe.slice(0, open.end)}${bucket}${empty ? '' : ', '}${pipe.slice(open.end)}`;
}
