import type { Static, TObject } from 'typebox';
import type { JobFilter, jobFilters } from '../../../contract/jobs.ts';
import type { Body } from '../../../contract/routes.ts';
import type { OperationKind } from '../../../contract/vocabulary.ts';
import { Fault, invalidAt } from '../../../lib/fault.ts';
import type { BulkPurpose, SnapshotTarget, Target } from '../../jobs/bulk/port.ts';
import { JsonText, route, type App } from '../core/route.ts';

type FilterInput = Static<TObject<typeof jobFilters>>;
type AnyBody = Body<'operations.kill'> & Body<'operations.retry'> & Body<'operations.rerun'>;

/** Many jobs at once: bulk operations. */
export function operationRoutes(app: App): void {
  const { access, jobs, limits } = app.services;
  const { operations } = jobs;

  for (const [name, kind] of [
    ['operations.kill', 'kill'],
    ['operations.retry', 'retry'],
    ['operations.rerun', 'rerun'],
  ] as const satisfies readonly (readonly [string, OperationKind])[])
    route(app, name, async ({ body, actor, reply }) => {
      const target = targetOf(body, limits.bulkIds);
      const purpose = purposeOf(kind, body);
      if (body.dryRun === true) {
        if ('snapshot' in target) throw invalidAt('/snapshot', 'a dry run expects ids or a filter');
        return operations.dryRun({ target, ...purpose });
      }
      const { operationId } = await operations.submit({ target, ...purpose }, actor.name, access.audit.entry(actor));
      reply.code(202).header('location', `/api/v1/operations/${operationId}`);
      return new JsonText(JSON.stringify({ operationId }));
    });

  route(app, 'operations.list', ({ query }) => operations.list(query));
  route(app, 'operations.get', ({ params }) => operations.get(params.id));
  route(app, 'operations.results', ({ params, query }) => operations.results(params.id, query));
  route(app, 'operations.abort', ({ params, actor }) => operations.abort(params.id, access.audit.entry(actor)));
}

function purposeOf(kind: OperationKind, body: AnyBody): BulkPurpose {
  if (kind !== 'rerun') return { kind, nonRetryable: body.includeNonRetryable ?? false };
  return {
    kind,
    choice: {
      commit: body.commit ?? null,
      completed: body.includeCompleted ?? false,
      again: body.includeRerun ?? false,
    },
  };
}

/** Exactly one of ids, filter and snapshot; an empty filter only where all jobs are meant. */
function targetOf({ ids, filter, snapshot, all }: AnyBody, mostIds: number): Target | SnapshotTarget {
  if ([ids, filter, snapshot].filter((one) => one !== undefined).length !== 1)
    throw invalidAt(
      ids !== undefined ? '/ids' : snapshot !== undefined ? '/snapshot' : '/filter',
      'expected exactly one of ids, filter and snapshot',
    );
  if (snapshot !== undefined) return { snapshot };
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
  const chosen = normalizeFilter(filter ?? {});
  if (Object.keys(chosen).length === 0 && all !== true)
    throw new Fault(
      'FILTER_EMPTY',
      'an empty filter matches every job: add a filter, or `"all": true` if you mean every job',
      { errors: [{ pointer: '/filter', message: 'is empty' }] },
    );
  return { filter: chosen };
}

/** One form for what may be given once or several times; what filters nothing is left out. */
export function normalizeFilter({ status, label, input, q, ...rest }: FilterInput): JobFilter {
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
