import { invalidAt } from '../../../lib/fault.ts';
import { route, type App } from '../core/route.ts';
import { sendFile } from '../core/send-file.ts';
import { normalizeFilter } from './operations.ts';

const TYPES = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
} as const;

/** The jobs of a filter or a snapshot as a file. */
export function jobExportRoutes(app: App): void {
  const { clock, jobs, limits } = app.services;
  route(app, 'jobs.export', ({ query: { format, snapshot, ...filter }, request, reply }) => {
    if (snapshot !== undefined && Object.keys(filter).length > 0)
      throw invalidAt('/snapshot', 'expected snapshot or a filter, not both');
    return sendFile(
      { request, reply },
      { of: 'jobs', ending: format, type: TYPES[format], now: clock.now(), stallSeconds: limits.exportStallSeconds },
      () => jobs.export(snapshot === undefined ? { filter: normalizeFilter(filter) } : { snapshot }, format),
    );
  });
}
