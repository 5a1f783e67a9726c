import type { Static, TObject } from 'typebox';
import type { JobFilter, jobFilters } from '../../../contract/jobs.ts';
import type { Body } from '../../../contract/routes.ts';
import type { OperationKind } from '../../../contract/vocabulary.ts';
import { Fault, invalidAt } from '../../../lib/fault.ts';
import type { BulkRequest } from '../../jobs/bulk/port.ts';
import { JsonText, route, type App } from '../core/route.ts';
import { sendFile } from '../core/send-file.ts';

type FilterInput = Static<TObject<typeof jobFilters>>;
type AnyBody = Body<'operations.kill'> & Body<'operations.retry'> & Body<'operations.rerun'>;

const TYPES = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
} as const;

/** Many jobs at once: bulk operations, and export. */
export function operationRoutes(app: App): void {
  const { access, clock, jobs, limits } = app.services;
  const { operations } = jobs;

  for (const [name, kind] of [
    ['operations.kill', 'kill'],
    ['operations.retry', 'retry'],
    ['operations.rerun', 'rerun'],
  ] as const satisfies readonly (readonly [string, OperationKind])[])
    route(app, name, async ({ body, actor, reply }) => {
      const request = requestOf(kind, body, limits.bulkIds);
      if (body.dryRun === true) return operations.dryRun(request);
      const { operationId } = await operations.submit(request, actor.name, access.audit.entry(actor));
      reply.code(202).header('location', `/api/v1/operations/${operationId}`);
      return new JsonText(JSON.stringify({ operationId }));
    });

  route(app, 'operations.list', ({ query }) => operations.list(query));
  route(app, 'operations.get', ({ params }) => operations.get(params.id));
  route(app, 'operations.results', ({ params, query }) => operations.results(params.id, query));
  route(app, 'operations.abort', ({ params, actor }) => operations.abort(params.id, access.audit.entry(actor)));

  route(app, 'jobs.export', ({ query: { format, ...filter }, request, reply }) =>
    sendFile(
      { request, reply },
      { of: 'jobs', ending: format, type: TYPES[format], now: clock.now(), stallSeconds: limits.exportStallSeconds },
      () => jobs.export(normal(filter), format),
    ),
  );
}

function requestOf(kind: OperationKind, body: AnyBody, mostIds: number): BulkRequest {
  const target = targetOf(body, mostIds);
  if (kind !== 'rerun') return { kind, target, nonRetryable: body.includeNonRetryable ?? false };
  return {
    kind,
    target,
    choice: {
      commit: body.commit ?? null,
      completed: body.includeCompleted ?? false,
      again: body.includeRerun ?? false,
    },
  };
}

/** Exactly one of ids and filter; an empty filter only where all jobs are meant. */
function targetOf({ ids, filter, all }: AnyBody, mostIds: number): BulkRequest['target'] {
  if ((ids === undefined) === (filter === undefined)) {
    const message = 'expected exactly one of ids and filter';
    throw invalidAt(ids === undefined ? '/filter' : '/ids', message);
  }
  if (ids !== undefined) {
    const unique = [...new Set(ids)];
    if (unique.length > mostIds)
      throw invalidAt(
        '/ids',
        `got ${unique.length} IDs; the maximum is ${mostIds}. Use a filter, or several operations`,
        `has more than ${mostIds} items`,
      );
    return { ids: unique };
  }
  const chosen = normal(filter as FilterInput);
  if (Object.keys(chosen).length === 0 && all !== true)
    throw new Fault(
      'FILTER_EMPTY',
      'an empty filter matches every job: add a filter, or `"all": true` if you mean every job',
      { errors: [{ pointer: '/filter', message: 'is empty' }] },
    );
  return { filter: chosen };
}

/** One form for what may be given once or several times; what filters nothing is left out. */
function normal({ status, label, input, q, ...rest }: FilterInput): JobFilter {
  const some = <T>(given: T | T[] = []) => {
    const values = new Set(Array.isArray(given) ? given : [given]);
    return values.size > 0 ? [...values] : undefined;
  };
  const [statuses, labels, inputs] = [some(status), some(label), some(input)];
  return {
    ...rest,
    ...(statuses ? { status: statuses } : {}),
    ...(labels ? { label: labels } : {}),
    ...(inputs ? { input: inputs } : {}),
    ...(q !== undefined && q !== '' ? { q } : {}),
  };
}
