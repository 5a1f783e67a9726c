import { isInputCause } from '../../../../contract/vocabulary.ts';
import { INCIDENT_PATHS } from '../../../../contract/incident.ts';
import type { Job } from '../../../../contract/jobs.ts';
import { iso } from '../../../../lib/clock.ts';
import { seriesView } from '../../../metrics/queries/request.ts';
import { readOrDefault, type IncidentBundle, type BundleFile } from './bundle.ts';

/** Metrics come some seconds after what they measure, and samples of workers every few seconds. */
const AROUND_MS = 30_000;
const POINTS = 2000;
const WINDOWS = 240;
const MEASUREMENTS = 50;
const PUBLICATIONS = 200;
const WORKERS = 500;

interface Span {
  readonly from: number;
  readonly to: number;
  readonly interval: string;
}

function spanOf({ services: { clock } }: IncidentBundle, jobs: readonly Job[]): Span {
  const from = Math.min(...jobs.map(({ createdAt }) => Date.parse(createdAt))) - AROUND_MS;
  const to =
    Math.max(...jobs.map(({ finishedAt }) => (finishedAt === null ? clock.now() : Date.parse(finishedAt)))) + AROUND_MS;
  return { from, to, interval: `${Math.max(1, Math.ceil((to - from) / WINDOWS / 1000))}s` };
}

/** The metrics of a job's tasks. */
export async function jobMetrics(bundle: IncidentBundle, job: Job): Promise<BundleFile> {
  const { from, to, interval } = spanOf(bundle, [job]);
  const found = await bundle.services.metrics.query({
    measurement: 'task_metrics',
    from: iso(from),
    to: iso(to),
    interval,
    limit: POINTS,
    filters: { job_id: job.id },
  });
  return { name: INCIDENT_PATHS.jobMetrics(job.id), json: await bundle.redact('answer', JSON.stringify(found)) };
}

/** What stands around the jobs: their workflows and versions, workers, failure groups, the metrics of the time. */
export async function* contextFiles(bundle: IncidentBundle, jobs: readonly Job[]): AsyncGenerator<BundleFile> {
  const { services, redact, signal, leftOut } = bundle;
  const { payloads, sees } = bundle.request;
  for (const workflowId of new Set(jobs.map((job) => job.workflowId))) {
    signal.throwIfAborted();
    if (!sees.versions(workflowId)) {
      leftOut.add('Workflows and versions that the person who created the bundle may not see');
      continue;
    }
    const workflow = await readOrDefault(() => services.workflows.get(workflowId), null);
    if (workflow)
      yield { name: INCIDENT_PATHS.workflow(workflowId), json: await redact('answer', JSON.stringify(workflow)) };
    const publications = await readOrDefault(
      () => services.workflows.publications(workflowId, { page: 0, size: PUBLICATIONS }),
      null,
    );
    if (publications)
      yield {
        name: INCIDENT_PATHS.publications(workflowId),
        json: await redact('answer', JSON.stringify(publications.items)),
      };
    for (const hash of new Set(jobs.filter((job) => job.workflowId === workflowId).map((job) => job.commit))) {
      const commit = await readOrDefault(() => services.workflows.commitDetailText(workflowId, hash), null);
      if (commit !== null)
        yield { name: INCIDENT_PATHS.commit(workflowId, hash), json: await redact('answer', commit) };
    }
  }

  const workers = [];
  if (!sees.workers) leftOut.add('Workers, which the person who created the bundle may not see');
  for (const id of sees.workers ? [...bundle.workers].slice(0, WORKERS) : []) {
    const worker = await readOrDefault(() => services.workers.get(id), null);
    if (worker) workers.push(worker);
  }
  yield { name: INCIDENT_PATHS.workers, json: await redact('answer', JSON.stringify(workers)) };
  const failures = [];
  for (const id of bundle.groups) {
    const group = await readOrDefault(() => services.jobs.failures.get(id, signal), null);
    if (group)
      failures.push(
        payloads && sees.inputs(group.workflowId)
          ? group
          : { ...group, causes: group.causes.filter(({ kind }) => !isInputCause(kind)) },
      );
  }
  yield { name: INCIDENT_PATHS.failures, json: await redact('answer', JSON.stringify(failures)) };
  if (sees.metrics) yield* metricParts(bundle, spanOf(bundle, jobs.slice(0, 1)));
  else leftOut.add('Metrics of all projects, which the person who created the bundle may not see');
}

async function* metricParts(
  { services: { metrics }, redact, signal, leftOut }: IncidentBundle,
  { from, to, interval }: Span,
): AsyncGenerator<BundleFile> {
  const processors = await readOrDefault(
    () =>
      metrics.series({
        measurement: 'worker_metrics',
        field: 'gauge_cpu_usage',
        aggregate: 'mean',
        groupBy: ['worker_id'],
        filters: {},
        from,
        to,
        intervalMs: Number.parseInt(interval, 10) * 1000,
        limit: 20,
      }),
    null,
  );
  if (processors) yield { name: INCIDENT_PATHS.processors, json: JSON.stringify(seriesView(processors, interval)) };
  const { items } = await metrics.names();
  if (items.length > MEASUREMENTS) leftOut.add(`Metrics beyond the first ${MEASUREMENTS} measurements`);
  for (const { measurement } of items.slice(0, MEASUREMENTS)) {
    signal.throwIfAborted();
    // Names are part of a path: those with anything odd in them are left out.
    if (measurement === 'task_metrics' || !/^[\w.-]{1,80}$/.test(measurement)) continue;
    const found = await readOrDefault(
      () => metrics.query({ measurement, from: iso(from), to: iso(to), interval, limit: POINTS, filters: {} }),
      null,
    );
    if (found && found.dataPoints.length > 0)
      yield { name: INCIDENT_PATHS.metrics(measurement), json: await redact('answer', JSON.stringify(found)) };
  }
}
