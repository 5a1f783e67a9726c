import { instantIn, textIn, wordIn } from '../../ui/search-params.ts';
import { COLOUR_BY, type ColourBy } from './list/record-hue.ts';

/** Ranges that end now; `all` has no bound. */
export const LOG_RANGES = ['15m', '1h', '6h', '24h', '7d', 'all'] as const;
export type LogRange = (typeof LOG_RANGES)[number];
export const DEFAULT_RANGE: LogRange = '1h';

/** View state of the log page. `from` and `to` (ISO) win over `range`. */
export interface LogsSearch {
  query?: string;
  range?: LogRange;
  from?: string;
  to?: string;
  job?: string;
  task?: string;
  worker?: string;
  source?: string;
  level?: string;
  /** Follow what arrives. */
  live?: 'on';
  wrap?: 'on';
  /** Fields that are columns, with commas between; a comma in a name is written `%2C`. */
  columns?: string;
  /** What the stripes tell apart; absent: levels. */
  colour?: ColourBy;
}

export function parseLogsSearch(input: Record<string, unknown>): LogsSearch {
  return {
    ...textIn(input, 'query'),
    ...wordIn(input, 'range', LOG_RANGES),
    ...instantIn(input, 'from'),
    ...instantIn(input, 'to'),
    ...textIn(input, 'job'),
    ...textIn(input, 'task'),
    ...textIn(input, 'worker'),
    ...textIn(input, 'source'),
    ...textIn(input, 'level'),
    ...wordIn(input, 'live', ['on'] as const),
    ...wordIn(input, 'wrap', ['on'] as const),
    ...textIn(input, 'columns'),
    ...wordIn(input, 'colour', COLOUR_BY),
  };
}

/** Columns of a view at most. */
export const MAX_COLUMNS = 20;

/** Columns as the address has them, and back; names may hold anything. */
export const columnsIn = (text: string | undefined): string[] =>
  text === undefined
    ? []
    : [
        ...new Set(
          text
            .split(',')
            .filter((name) => name !== '')
            .map((name) => name.replaceAll('%2C', ',').replaceAll('%25', '%')),
        ),
      ].slice(0, MAX_COLUMNS);
export const columnsText = (columns: readonly string[]): string | undefined =>
  columns.length === 0
    ? undefined
    : columns.map((name) => name.replaceAll('%', '%25').replaceAll(',', '%2C')).join(',');
