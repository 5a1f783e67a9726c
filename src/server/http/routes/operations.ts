import type { Static, TObject } from 'typebox';
import type { JobFilter, jobFilters } from '../../../contract/jobs.ts';
import type { Body } from '../../../contract/routes.ts';
import type { Action } from '../../../contract/actions.ts';
import { withoutReach } from '../core/relations.ts';
import type { OperationKind } from '../../../contract/vocabulary.ts';
import { Fault, invalidAt } from '../../../lib/fault.ts';
import type { Identity } from '../../access/port.ts';
import type { BulkPurpose, SnapshotTarget, Target } from '../../jobs/bulk/port.ts';
import { route, type App } from '../core/route.ts';
import { withQuery } from '../../../lib/job-query/with-query.ts';
import { filterWithin, readsInputs } from '../core/scope.ts';
import { startBulk } from './start-bulk.ts';

type FilterInput = Omit<Static<TObject<typeof jobFilters>>, 'project'> & Pick<JobFilter, 'within'>;
type AnyBody = Body<'operations.kill'> & Body<'operations.retry'> & Body<'operations.rerun'>;

/** Many jobs at once: bulk operations. */
export function operationRoutes(app: App): void {
  const { access, approvals, clock, jobs, limits } = app.services;
  const { operations } = jobs;

  for (const [name, kind] of [
    ['operations.kill', 'kill'],
    ['operations.retry', 'retry'],
    ['operations.rerun', 'rerun'],
  ] as const satisfies readonly (readonly [string, OperationKind])[])
    route(app, name, async ({ body, actor, identity, reply }) => {
      const { filter: given, ...rest } = body;
      const filter = given && withQuery(given, clock.now());
      const isLimited = access.policy.projects(identity, 'jobs.operate') !== null;
      // What it comes to tells which inputs match; those that a search may not see are left out for who is limited to projects.
      if (!isLimited && filter && readsInputs(filter))
        app.scope.everywhere(identity, access.projects.masks.size > 0 ? 'payload.unmasked' : 'payload.read');
      const asked = filter && filterWithin(app.scope, identity, filter, 'jobs.operate');
      const target = targetOf({ ...rest, ...(asked && { filter: asked }) }, limits.bulkIds);
      if (isLimited) {
        if ('ids' in target) for (const id of target.ids) await app.scope.job(identity, 'jobs.operate', id);
        if ('snapshot' in target) mayTake(app, identity, 'jobs.operate', target.snapshot);
      }
      const purpose = purposeOf(kind, body);
      if (body.dryRun === true) {
        if ('snapshot' in target) throw invalidAt('/snapshot', 'a dry run expects ids or a filter');
        const counted = await operations.dryRun({ target, ...purpose });
        return approvals.isLarge(counted.count) ? { ...counted, needsApproval: true } : counted;
      }
      return startBulk(app.services, { target, ...purpose }, { actor, identity, reply });
    });

  route(app, 'operations.list', async ({ query, identity }) => {
    const within = app.scope.within(identity, 'jobs.read');
    const found = await operations.list({ ...query, within });
    return within === null ? found : { ...found, items: found.items.map(withoutReach) };
  });
  route(app, 'operations.get', async ({ params, identity }) => {
    const found = await operations.get(params.id);
    return app.scope.within(identity, 'jobs.read') === null ? found : withoutReach(found);
  });
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

/** Throws SNAPSHOT_EXPIRED, also where a snapshot holds jobs of others: nothing tells one from the other. */
export function mayTake(
  { scope, services: { jobs } }: Pick<App, 'scope' | 'services'>,
  identity: Identity,
  action: Action,
  snapshot: string,
): void {
  if (!scope.inAll(identity, action, jobs.operations.snapshotPlaces(snapshot)))
    throw new Fault('SNAPSHOT_EXPIRED', `the snapshot ${snapshot} has expired: start a new dry run`);
}

/** Exactly one of ids, filter and snapshot; an empty filter only where all jobs are meant. */
function targetOf(
  { ids, filter, snapshot, all }: Omit<AnyBody, 'filter'> & { filter?: FilterInput },
  mostIds: number,
): Target | SnapshotTarget {
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
export function normalizeFilter({ status, displayStatus, label, input, trigger, q, ...rest }: FilterInput): JobFilter {
  const some = <T>(given: T | T[] = []) => {
    const values = new Set(Array.isArray(given) ? given : [given]);
    return values.size > 0 ? [...values] : undefined;
  };
  const [statuses, labels, inputs, triggers] = [some(status), some(label), some(input), some(trigger)];
  const displayed = some(displayStatus);
  return {
    ...rest,
    ...(statuses ? { status: statuses } : {}),
    ...(displayed ? { displayStatus: displayed } : {}),
    ...(labels ? { label: labels } : {}),
    ...(inputs ? { input: inputs } : {}),
    ...(triggers ? { trigger: triggers } : {}),
    ...(q !== undefined && q !== '' ? { q } : {}),
  };
}
