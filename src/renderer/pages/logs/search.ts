import { instantIn, textIn, wordIn } from '../../api/search.ts';

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
  /** Follow what arrives. */
  live?: 'on';
  wrap?: 'on';
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
    ...wordIn(input, 'live', ['on'] as const),
    ...wordIn(input, 'wrap', ['on'] as const),
  };
}
