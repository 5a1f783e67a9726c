import { Readable } from 'node:stream';
import type { JobFilter } from '../../../contract/jobs.ts';
import type { OperationKind } from '../../../contract/vocabulary.ts';
import { Fault } from '../../../lib/fault.ts';
import type { BulkRequest } from '../../jobs/bulk/port.ts';
import { answerHead } from '../core/head-request.ts';
import { JsonText, SENT, list, paged, route, type App } from '../core/route.ts';

type FilterInput = Omit<JobFilter, 'status' | 'label' | 'input'> & {
  status?: JobFilter['status'] | NonNullable<JobFilter['status']>[number];
  label?: string | string[];
  input?: string | string[];
};
type Body = {
  ids?: string[];
  filter?: FilterInput;
  all?: boolean;
  dryRun?: boolean;
  includeNonRetryable?: boolean;
  commit?: string;
  includeCompleted?: boolean;
  includeRerun?: boolean;
};

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
      const request = requestOf(kind, body as Body, limits.bulkIds);
      if (body.dryRun === true) return operations.dryRun(request);
      const { operationId } = await operations.submit(request, actor.name, access.audit.entry(actor));
      reply.code(202).header('location', `/api/v1/operations/${operationId}`);
      return new JsonText(JSON.stringify({ operationId }));
    });

  route(app, 'operations.list', ({ query }) => operations.list(paged(query)));
  route(app, 'operations.get', ({ params }) => operations.get(params.id));
  route(app, 'operations.results', ({ params, query }) => operations.results(params.id, paged(query)));
  route(app, 'operations.abort', ({ params, actor }) => operations.abort(params.id, access.audit.entry(actor)));

  route(app, 'jobs.export', async ({ query, request, reply }) => {
    const { format, ...filter } = query;
    const name = `jobs-${new Date(clock.now()).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z.${format}`;
    reply.header('content-disposition', `attachment; filename="${name}"`).header('content-type', TYPES[format]);
    if (answerHead(request, reply)) return SENT;
    const pieces = jobs.export(normal(filter), format);
    // The first piece is read before the answer begins, so that what is refused is answered as a problem.
    const first = await pieces.next().catch((error: unknown) => {
      reply.removeHeader('content-disposition').removeHeader('content-type');
      throw error;
    });
    // A reader that stalls would keep its place for good. Node cuts a connection of which nothing was heard for so long.
    request.raw.socket.setTimeout?.(limits.exportStallSeconds * 1000);
    async function* all() {
      try {
        if (first.done === true) return;
        yield first.value;
        yield* pieces;
      } finally {
        // Where the client went away before the rest was asked for.
        await pieces.return(undefined);
      }
    }
    void reply.send(Readable.from(all(), { objectMode: false, highWaterMark: 256 * 1024 }));
    return SENT;
  });
}

function requestOf(kind: OperationKind, body: Body, mostIds: number): BulkRequest {
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
function targetOf({ ids, filter, all }: Body, mostIds: number): BulkRequest['target'] {
  if ((ids === undefined) === (filter === undefined)) {
    const message = 'exactly one of ids and filter is needed';
    throw new Fault('VALIDATION_FAILED', message, {
      errors: [{ pointer: ids === undefined ? '/filter' : '/ids', message }],
    });
  }
  if (ids !== undefined) {
    const unique = [...new Set(ids)];
    if (unique.length > mostIds)
      throw new Fault(
        'VALIDATION_FAILED',
        `${unique.length} ids came, at most ${mostIds} are taken: use a filter, or several operations`,
        { errors: [{ pointer: '/ids', message: `has more than ${mostIds} items` }] },
      );
    return { ids: unique };
  }
  const chosen = normal(filter as FilterInput);
  if (Object.keys(chosen).length === 0 && all !== true)
    throw new Fault(
      'FILTER_EMPTY',
      'an empty filter would match every job: name a filter, or add `"all": true` where every job is meant',
      { errors: [{ pointer: '/filter', message: 'is empty' }] },
    );
  return { filter: chosen };
}

/** One form for what may be given once or several times; what filters nothing is left out. */
function normal({ status, label, input, q, ...rest }: FilterInput): JobFilter {
  const some = <T>(values: T[] | undefined) =>
    values !== undefined && values.length > 0 ? [...new Set(values)] : undefined;
  const [statuses, labels, inputs] = [some(list(status)), some(list(label)), some(list(input))];
  return {
    ...rest,
    ...(statuses ? { status: statuses } : {}),
    ...(labels ? { label: labels } : {}),
    ...(inputs ? { input: inputs } : {}),
    ...(q !== undefined && q !== '' ? { q } : {}),
  };
}
