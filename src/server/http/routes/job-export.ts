import { invalidAt } from '../../../lib/fault.ts';
import { route, type App } from '../core/route.ts';
import { withQuery } from '../../../lib/job-query/with-query.ts';
import { filterWithin } from '../core/scope.ts';
import { stillAllowed } from '../core/still-allowed.ts';
import { sendFile } from '../core/send-file.ts';
import { mayTake, normalizeFilter } from './operations.ts';

const TYPES = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
} as const;

/** The jobs of a filter or a snapshot as a file. */
export function jobExportRoutes(app: App): void {
  const { clock, durable, jobs, limits } = app.services;

  async function* pieces(...asked: Parameters<typeof jobs.export>): AsyncGenerator<string | Uint8Array> {
    for await (const piece of jobs.export(...asked)) {
      await durable();
      yield piece;
    }
  }

  route(app, 'jobs.export', ({ query: { format, snapshot, ...filter }, identity, request, reply }) => {
    const asked = filterWithin(app.scope, identity, withQuery(filter, clock.now()));
    if (snapshot !== undefined) mayTake(app, identity, 'jobs.read', snapshot);
    if (snapshot !== undefined && Object.keys(filter).length > 0)
      throw invalidAt('/snapshot', 'expected snapshot or a filter, not both');
    const isAllowed = stillAllowed(app, identity, request);
    const { within } = asked;
    return sendFile(
      { request, reply },
      { of: 'jobs', ending: format, type: TYPES[format], now: clock.now(), stallSeconds: limits.exportStallSeconds },
      () => pieces(snapshot === undefined ? { filter: normalizeFilter(asked) } : { snapshot, within }, format),
      () => isAllowed() && (within ?? []).every((id) => app.scope.sees(identity, 'jobs.read', id)),
    );
  });
}
