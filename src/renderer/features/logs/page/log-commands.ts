import { keysOf } from '../../../../contract/tables.ts';
import type { LogFilters } from '../../../api/logs.ts';
import { quoteForShell } from '../../../../lib/shell-quote.ts';
import { pathTo } from '../../../../lib/api-client.ts';

const FLAGS = {
  job_id: '--job',
  task_id: '--task',
  worker_id: '--worker',
  level: '--level',
  source: '--source',
  from: '--from',
  to: '--to',
} as const;

/** The view as commands for a terminal. */
export function logCommands(filters: LogFilters, live: boolean, origin: string): { cli: string; curl: string } {
  const { from: _from, to: _to, ...scope } = filters;
  const asked: LogFilters = live ? scope : filters;
  const flags = keysOf(FLAGS).flatMap((name) => {
    const value = asked[name];
    return value === undefined ? [] : [FLAGS[name], quoteForShell(value)];
  });
  const query = filters.query === undefined || filters.query === '' ? [] : [quoteForShell(filters.query)];
  const url = `${origin}${pathTo(live ? 'logs.tail' : 'logs.search', { query: asked })}`;
  return {
    // A query may begin with a dash, which is no option.
    cli: [
      'yardmaster logs',
      live ? 'tail' : 'search',
      ...flags,
      ...(filters.query?.startsWith('-') ? ['--'] : []),
      ...query,
    ].join(' '),
    curl: `curl -N -H "authorization: Bearer $YARDMASTER_TOKEN" ${quoteForShell(url)}`,
  };
}
