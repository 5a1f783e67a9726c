import { parseFilterText, parseQuery } from '../../../lib/logsql/parse.ts';
import { errorMessage } from '../../../lib/errors.ts';
import { nameText, quoteText } from '../../../lib/logsql/quote.ts';
import { durationOf } from '../../../lib/logsql/durations.ts';
import { isoOf, spanOf } from '../../../lib/logsql/times.ts';
import { hintsOf } from '../logsql/filter/hints.ts';
import type { LogRun } from '../store/port.ts';
import { Refusal } from './answer.ts';
import type { QueryArguments, LogQueryRequest } from './port.ts';
import { cutQuery, joinQuery, type QueryText } from './query-text.ts';

/** What all query endpoints take. */
export interface Common {
  readonly query: QueryText;
  /** Nanoseconds; `from` in, `to` out; null: open. */
  readonly from: bigint | null;
  readonly to: bigint | null;
  /** The instant of relative times. */
  readonly at: bigint;
  readonly run: Omit<LogRun, 'query' | 'limit' | 'offset'>;
}

const QUERY_CHARACTERS = 16 * 1024;

/** Reads `query`, `start`, `end`, `time`, `timeout`, `extra_filters`, `extra_stream_filters`, `ignore_pipes`, `hidden_fields_filters`. */
export function commonOf(ask: LogQueryRequest): Common {
  const { args, options } = ask;
  const now = BigInt(options.clock.now()) * 1_000_000n;
  const text = args.get('query');
  if (text === null || text.trim() === '') throw new Refusal(400, 'missing query: send the LogsQL in the arg `query`');
  if (text.length > QUERY_CHARACTERS)
    throw new Refusal(400, `query too long: the maximum is ${QUERY_CHARACTERS} characters, got ${text.length}`);
  const from = timeArg(args, 'start', now);
  const to = timeArg(args, 'end', now);
  const at = timeArg(args, 'time', now) ?? to ?? now;
  const given = cutQuery(text);
  const kept = flag(args, 'ignore_pipes') ? [] : given.pipes;
  const hidden = listArg(args, 'hidden_fields_filters');
  const pipes = hidden.length === 0 ? kept : [`delete ${hidden.map(pattern).join(', ')}`, ...kept];
  const query = kept === given.pipes && hidden.length === 0 ? given : cutQuery(joinQuery(given.filter, pipes));
  const extra = [
    ...args.getAll('extra_filters').map((one) => extraFilter(one, false)),
    ...args.getAll('extra_stream_filters').map((one) => extraFilter(one, true)),
  ].filter((one) => one !== '');
  // The store takes whole milliseconds; what is finer is said as a filter.
  if (from !== null && from % 1_000_000n !== 0n) extra.push(`_time:>=${nanoText(from)}`);
  if (to !== null && to % 1_000_000n !== 0n) extra.push(`_time:<${nanoText(to)}`);
  const hints = hintsOf(query.parsed.filter, at);
  ask.range = {
    from: laterOf(hints.from, from === null ? null : msOf(from)),
    to: earlierOf(hints.to, to === null ? null : msOf(to + 999_999n)),
  };
  return {
    query,
    from,
    to,
    at,
    run: {
      from: from === null ? null : msOf(from),
      to: to === null ? null : msOf(to + 999_999n),
      extraFilters: extra,
      now: msOf(at),
      timeoutMs: timeoutOf(args, options.limits.logQuerySeconds * 1000),
    },
  };
}

const laterOf = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : Math.max(a, b));
const earlierOf = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : Math.min(a, b));
const msOf = (ns: bigint): number => Number(ns < 0n && ns % 1_000_000n !== 0n ? ns / 1_000_000n - 1n : ns / 1_000_000n);
const nanoText = (ns: bigint): string => isoOf(msOf(ns), Number(((ns % 1_000_000n) + 1_000_000n) % 1_000_000n));

/** Nanoseconds of a time: RFC 3339 or a part of it, Unix s, ms, µs or ns, `5m`, `-5m`, `now-1h`. */
export function timeArg(args: QueryArguments, name: string, now: bigint): bigint | null {
  const text = args.get(name);
  if (text === null || text === '') return null;
  // Grafana sends seconds with a fraction; zero is the beginning of time.
  const span = /^0+(\.0*)?$/.test(text) ? { from: 0n } : spanOf(text, now);
  if (span === null)
    throw new Refusal(
      400,
      `cannot parse ${name}=${JSON.stringify(text.slice(0, 100))}: expected an RFC 3339 time, a Unix timestamp, or an age such as 5m`,
    );
  return span.from;
}

export function flag(args: QueryArguments, name: string): boolean {
  const text = args.get(name);
  return text !== null && !['', '0', 'f', 'F', 'false', 'False', 'FALSE', 'no'].includes(text);
}

export function countArg(args: QueryArguments, name: string, otherwise: number, most: number): number {
  const text = args.get(name);
  if (text === null || text === '') return otherwise;
  if (!/^\d{1,15}$/.test(text))
    throw new Refusal(400, `cannot parse integer ${name}=${JSON.stringify(text.slice(0, 100))}`);
  return Math.min(Number(text), most);
}

/** A duration (`5s`), or a number of seconds, in nanoseconds. */
export function durationArg(args: QueryArguments, name: string): bigint | null {
  const text = args.get(name);
  if (text === null || text === '') return null;
  const ns = /^-?\d{1,12}(\.\d{1,9})?$/.test(text) ? BigInt(Math.round(Number(text) * 1e9)) : durationOf(text);
  if (ns === null)
    throw new Refusal(
      400,
      `cannot parse duration ${name}=${JSON.stringify(text.slice(0, 100))}: expected a duration such as 5m or 90s`,
    );
  return ns;
}

function timeoutOf(args: QueryArguments, most: number): number {
  const ns = durationArg(args, 'timeout');
  return ns === null || ns <= 0n ? most : Math.min(most, Number(ns / 1_000_000n) || 1);
}

/** A list, as repeated args, separated by commas, or as a JSON array. */
export function listArg(args: QueryArguments, name: string): string[] {
  return args.getAll(name).flatMap((text) => {
    if (text.startsWith('[')) {
      const list: unknown = jsonOf(text, name);
      if (Array.isArray(list)) return list.map(String);
    }
    return text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
  });
}

const pattern = (text: string): string => (text.endsWith('*') ? `${nameText(text.slice(0, -1))}*` : nameText(text));

function jsonOf(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Refusal(400, `cannot parse JSON in ${name}: ${errorMessage(error)}`);
  }
}

/** LogsQL, or `{"field":"value","other":["a","b"]}`. */
function extraFilter(text: string, stream: boolean): string {
  const given = text.trim();
  if (given === '') return '';
  const json =
    given.startsWith('{') && /^\{\s*("|\})/.test(given) && looksLikeJson(given)
      ? (jsonOf(given, 'the extra filters') as Record<string, unknown>)
      : null;
  if (json === null) {
    parseFilterText(given);
    return given;
  }
  const parts = Object.entries(json).map(([field, value]) => {
    const values = (Array.isArray(value) ? value : [value]).map(String);
    if (stream) return `${nameText(field)} in (${values.map(quoteText).join(', ')})`;
    return values.length === 1
      ? `${nameText(field)}:=${quoteText(values[0] ?? '')}`
      : `${nameText(field)}:in(${values.map(quoteText).join(', ')})`;
  });
  if (parts.length === 0) return '';
  const filter = stream ? `{${parts.join(', ')}}` : parts.join(' ');
  parseQuery(filter);
  return filter;
}

/** `{"a"="b"}` is a stream filter, `{"a":"b"}` is JSON. */
const looksLikeJson = (text: string): boolean => /^\{\s*\}$|^\{\s*"(?:[^"\\]|\\.)*"\s*:/.test(text);
