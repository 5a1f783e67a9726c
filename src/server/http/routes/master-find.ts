import type { Job } from '../../../contract/jobs.ts';
import type { Found } from '../../../contract/master.ts';
import { FOUND_KINDS } from '../../../contract/vocabulary.ts';
import { filterWithin } from '../core/scope.ts';
import { disconnectSignal } from '../core/disconnect-signal.ts';
import { route, type App } from '../core/route.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HASH = /^[0-9a-f]{4,40}$/;
/** The part of a secret that is shown in lists: a pasted one is known by it. */
const SECRET = /^(ymt?_[A-Za-z0-9_-]{0,6})/;
const FINGERPRINT = /^[0-9a-f]{16}$/;
/** Of each kind. */
const MOST = 5;
/** Keys and tokens are looked through, newest first. */
const MAX_KEYS = 500;

/** Everything that has an id, begins with it or holds a text, each kind asked at once; a kind that fails is left out. */
export function masterFindRoutes(app: App): void {
  const { access, jobs, workers, workflows } = app.services;
  const { scope } = app;

  route(app, 'master.find', async ({ query, identity, reply }) => {
    const text = query.q.trim();
    const id = text.toLowerCase();
    const gone = disconnectSignal(reply);
    const page = { page: 0, size: MOST };
    const secret = SECRET.exec(text)?.[1];
    const asked: Promise<Found[]>[] = [];
    const ask = (work: () => Promise<Found | Found[] | null>) =>
      void asked.push(
        work().then(
          (found) => (found === null ? [] : Array.isArray(found) ? found : [found]),
          () => [],
        ),
      );

    /** What belongs to no project is left out for who may not see that. */
    const askMaster = (work: () => Promise<Found | Found[] | null>) => {
      if (access.policy.may(identity, 'master.read', null)) ask(work);
    };
    const keys = () => access.keys.list({ page: 0, size: MAX_KEYS }, scope.holdings(identity, 'master.read'));
    const jobsWithin = () => filterWithin(scope, identity, {});
    const projects = access.policy.projects(identity, 'workflows.read');
    const seesWorkflow = (workflowId: string) => scope.sees(identity, 'workflows.read', workflowId);

    if (secret !== undefined) {
      ask(async () =>
        (await keys()).items
          .filter(({ prefix }) => prefix.startsWith(secret))
          .slice(0, MOST)
          .map((key) =>
            found('key', key.id, key.name, `${key.prefix}…${key.revokedAt ? ', revoked' : ''}`, '/settings?tab=keys'),
          ),
      );
      askMaster(async () =>
        (await access.tokens.list({ page: 0, size: MAX_KEYS })).items
          .filter(({ prefix }) => prefix.startsWith(secret))
          .slice(0, MOST)
          .map((token) =>
            found(
              'token',
              token.id,
              token.name,
              `${token.prefix}…, ${token.role}${token.revokedAt ? ', revoked' : ''}`,
              '/settings?tab=tokens',
            ),
          ),
      );
    } else if (UUID.test(id)) {
      ask(async () => {
        await scope.job(identity, 'jobs.read', id);
        return jobFound(await jobs.get(id));
      });
      ask(async () => {
        await scope.task(identity, 'jobs.read', id);
        const task = await jobs.task(id);
        return found('task', id, `${task.node} #${task.replica}`, task.state, `/jobs/${task.jobId}?task=${id}`);
      });
      ask(async () => {
        const operation = await jobs.operations.get(id);
        if (!scope.inAll(identity, 'jobs.read', jobs.operations.places(id))) return null;
        return found(
          'operation',
          id,
          `${operation.kind} of ${operation.total} jobs`,
          operation.status,
          `/operations?operation=${id}`,
        );
      });
      askMaster(async () => {
        const worker = await workers.get(id);
        return found('worker', id, worker.url || id, worker.state, `/workers?worker=${id}`);
      });
      ask(async () => {
        const publication = workflows.publication(id);
        if (publication && !seesWorkflow(publication.workflowId)) return null;
        return (
          publication &&
          found(
            'publication',
            id,
            `${publication.workflowId} to ${publication.environment}`,
            publication.hash?.slice(0, 10) ?? 'unpublished',
            `/workflows/${publication.workflowId}?tab=publish`,
          )
        );
      });
      ask(async () =>
        (await keys()).items
          .filter((key) => key.id === id)
          .map((key) => found('key', id, key.name, `${key.prefix}…`, '/settings?tab=keys')),
      );
    } else {
      ask(async () =>
        (await jobs.list({ ...page, ...jobsWithin(), q: text, sort: 'createdAt,desc' }, gone)).items.map(jobFound),
      );
      ask(async () =>
        (await workflows.list({ ...page, q: text, sort: 'id', within: projects && [...projects] })).items.map(
          ({ id: workflowId, name }) => found('workflow', workflowId, name, workflowId, `/workflows/${workflowId}`),
        ),
      );
      ask(async () =>
        (await jobs.failures.list({ ...page, ...jobsWithin(), q: text }, gone)).items.map((group) =>
          found(
            'failure',
            group.id,
            group.sample.slice(0, 200),
            `${group.workflowId} · ${group.node} · ${group.count}×`,
            `/failures?group=${group.id}&status=all`,
          ),
        ),
      );
      askMaster(async () =>
        (await workers.list({ page: 0, size: 500, sort: 'id' })).items
          .filter((worker) => worker.id.startsWith(id) || worker.url.includes(id))
          .slice(0, MOST)
          .map((worker) =>
            found('worker', worker.id, worker.url || worker.id, worker.state, `/workers?worker=${worker.id}`),
          ),
      );
      if (HASH.test(id))
        ask(async () =>
          workflows
            .commitsLike(id, MOST)
            .filter(({ workflowId }) => seesWorkflow(workflowId))
            .map((commit) =>
              found(
                'commit',
                commit.hash,
                commit.message.split('\n')[0] ?? '',
                `${commit.workflowId} · ${commit.hash.slice(0, 10)}`,
                `/workflows/${commit.workflowId}?tab=versions&version=${commit.hash}`,
              ),
            ),
        );
      if (FINGERPRINT.test(id))
        ask(async () => {
          const group = await jobs.failures.get(id, gone);
          if (!scope.sees(identity, 'jobs.read', group.workflowId)) return null;
          return found(
            'failure',
            id,
            group.sample.slice(0, 200),
            `${group.workflowId} · ${group.node} · ${group.count}×`,
            `/failures?group=${id}&status=all`,
          );
        });
    }
    const items = (await Promise.all(asked)).flat();
    return { items: items.toSorted((a, b) => FOUND_KINDS.indexOf(a.kind) - FOUND_KINDS.indexOf(b.kind)) };
  });
}

const found = (kind: Found['kind'], id: string, label: string, detail: string, path: string): Found => ({
  kind,
  id,
  label,
  detail,
  path,
});
const jobFound = (job: Job): Found =>
  found('job', job.id, job.externalId ?? job.id, `${job.workflowId} · ${job.status}`, `/jobs/${job.id}`);
