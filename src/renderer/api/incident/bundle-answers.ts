import type { TSchema } from 'typebox';
import type { AuditEntry } from '../../../contract/access.ts';
import type { FailureDetail } from '../../../contract/failures.ts';
import { INCIDENT_PATHS } from '../../../contract/incident.ts';
import type { Job } from '../../../contract/jobs.ts';
import type { Metrics, MetricSeries } from '../../../contract/metrics.ts';
import type { Worker } from '../../../contract/workers.ts';
import type { Publication } from '../../../contract/workflows.ts';
import { parseJson, parseStored } from '../../../lib/json.ts';
import { type Line, linesOf, pagingOf, pageText, textOf } from './lines.ts';
import { indexLogs } from './logs.ts';
import { type Bundle, BundleFault, parsed } from './read.ts';
import { assertShape, SHAPES } from './shapes.ts';
import { indexTasks } from './tasks.ts';

export interface Answer {
  readonly status: number;
  /** JSON. */
  readonly text: string;
}

const decoder = new TextDecoder();
/** An answer that the pages can rely on: JSON of this shape. Throws `BundleFault`. */
function found(text: string, shape: TSchema | null, what: string): Answer {
  assertShape(text, shape, what);
  return { status: 200, text };
}
const problem = (status: number, code: string, title: string, detail: string): Answer => ({
  status,
  text: JSON.stringify({ type: 'about:blank', title, status, detail, code, instance: '' }),
});
const notHere = (code: string, what: string): Answer =>
  problem(404, code, 'Not in this bundle', `The incident bundle holds no ${what}.`);

/** Answers requests for the API from a bundle, as the master would that it was taken from. Throws `BundleFault` where a job in it is none. */
export function createBundleAnswers(bundle: Bundle): (method: string, url: string) => Answer {
  const { manifest, parts } = bundle;
  const text = (name: string): string | null => {
    const bytes = parts.get(name);
    return bytes ? decoder.decode(bytes) : null;
  };
  const listIn = <T>(name: string): T[] => {
    const bytes = parts.get(name);
    const value: unknown = bytes ? parsed<unknown>(bytes) : [];
    return Array.isArray(value) ? value : [];
  };
  const shaped = <T>(bytes: Uint8Array, shape: TSchema, what: string): T => {
    assertShape(decoder.decode(bytes), shape, what);
    return parsed<T>(bytes);
  };
  const publicationsOf = (id: string): Publication[] => {
    const bytes = parts.get(INCIDENT_PATHS.publications(id));
    return bytes ? shaped(bytes, SHAPES.published, `publications of ${id}`) : [];
  };
  const tasks = indexTasks(bundle);
  const logs = indexLogs(bundle);
  const jobs = manifest.jobs.flatMap((id) => {
    const own = text(INCIDENT_PATHS.job(id));
    if (own === null) return [];
    assertShape(own, SHAPES.job, INCIDENT_PATHS.job(id));
    return [parseStored<Job>(own)];
  });
  const workers = () => listIn<Worker | null>(INCIDENT_PATHS.workers);
  const failures = () => listIn<FailureDetail | null>(INCIDENT_PATHS.failures);
  const inputs = new Map<string, Map<number, Line>>();
  const inputsOf = (jobId: string): Map<number, Line> => {
    const known = inputs.get(jobId) ?? new Map<number, Line>();
    if (!inputs.has(jobId))
      for (const { line, value } of linesOf<[number, unknown]>(parts, `jobs/${jobId}/inputs/`))
        known.set(Number(value[0]), line);
    inputs.set(jobId, known);
    return known;
  };
  /** The line `[replica,input]` without what stands around the input. */
  const inputText = (line: Line): string => {
    const whole = textOf(line);
    return whole.slice(whole.indexOf(',') + 1, -1);
  };
  const page = (items: readonly unknown[], query: URLSearchParams, shape: TSchema, what: string): Answer => {
    const { page: at, size } = pagingOf(query);
    return found(
      pageText(
        items.slice(at * size, (at + 1) * size).map((item) => JSON.stringify(item)),
        at,
        size,
        items.length,
      ),
      shape,
      what,
    );
  };

  function job(id: string, rest: string, query: URLSearchParams): Answer {
    if (!jobs.some((one) => one.id === id)) return notHere('JOB_NOT_FOUND', `job ${id}`);
    if (rest === '') return textOr(text(INCIDENT_PATHS.job(id)), SHAPES.job, 'JOB_NOT_FOUND', `job ${id}`);
    if (rest === 'graph' || rest === 'output') {
      return textOr(text(INCIDENT_PATHS[rest](id)), SHAPES[rest], 'JOB_NOT_FOUND', `${rest} of job ${id}`);
    }
    if (rest === 'tasks') return found(tasks.list(id, query), SHAPES.tasks, `tasks of job ${id}`);
    if (rest === 'input') {
      const known = inputsOf(id);
      if (query.get('node') !== null) return notHere('NOT_IN_BUNDLE', 'inputs of single nodes; each task has its own');
      if (query.get('replica') === null)
        return found(`[${[...known.values()].map(inputText).join(',')}]`, null, `inputs of job ${id}`);
      const line = known.get(Number(query.get('replica')));
      if (line) return found(inputText(line), null, `input of job ${id}`);
      const begin = manifest.payloads ? tasks.begin(id, Number(query.get('replica'))) : null;
      return begin
        ? task(begin.id, 'input')
        : notHere(
            'NOT_IN_BUNDLE',
            manifest.payloads ? 'input of this replica' : 'inputs and outputs: it was taken without them',
          );
    }
    return notHere('NOT_IN_BUNDLE', rest.startsWith('compare') ? 'other run to compare with' : `${rest} of a job`);
  }

  function task(id: string, rest: string): Answer {
    const row = tasks.row(id);
    const own = tasks.one(id);
    if (row === null || own === null) return notHere('TASK_NOT_FOUND', `task ${id}`);
    if (rest === '') return found(own, SHAPES.task, `task ${id}`);
    if (rest !== 'input' && rest !== 'output') return notHere('NOT_IN_BUNDLE', `${rest} of a task`);
    if (!manifest.payloads) return notHere('NOT_IN_BUNDLE', 'inputs and outputs: it was taken without them');
    const apart = text(INCIDENT_PATHS.payload(row.jobId, id, rest));
    return found(apart ?? memberOf(own, rest), null, `${rest} of task ${id}`);
  }

  function workflow(id: string, rest: string, query: URLSearchParams): Answer {
    const [kind, hash = ''] = rest.split('/');
    if (rest === '')
      return textOr(text(INCIDENT_PATHS.workflow(id)), SHAPES.workflow, 'WORKFLOW_NOT_FOUND', `workflow ${id}`);
    if (kind === 'publications' && hash === '')
      return page(listIn(INCIDENT_PATHS.publications(id)), query, SHAPES.publications, `publications of ${id}`);
    if (kind === 'commits' && /^[0-9a-f]{4,40}$/.test(hash) && rest.split('/').length === 2) {
      const name = [...parts.keys()].find((one) => one.startsWith(`workflows/${id}/commits/${hash}`));
      return textOr(
        name === undefined ? null : text(name),
        SHAPES.commit,
        'COMMIT_NOT_FOUND',
        `version ${hash} of ${id}`,
      );
    }
    return notHere('NOT_IN_BUNDLE', `${kind ?? ''} of a workflow`);
  }

  function audit(query: URLSearchParams): Answer {
    const entry = (
      id: string,
      at: string,
      actor: string,
      action: string,
      target: string,
      after: unknown,
    ): AuditEntry => ({
      id,
      at,
      actor,
      role: null,
      number: 0,
      hash: null,
      address: null,
      action,
      target,
      before: null,
      after,
    });
    const published = [...new Set(jobs.map(({ workflowId }) => workflowId))].flatMap((id) =>
      publicationsOf(id).map((one) =>
        entry(one.id, one.publishedAt, one.publishedBy, 'workflow.publish', `workflow:${id}`, {
          environment: one.environment,
        }),
      ),
    );
    const killed = jobs.flatMap(({ id, killedAt }) =>
      killedAt === null ? [] : [entry(id, killedAt, '', 'job.kill', `job:${id}`, null)],
    );
    const wanted = query.get('action');
    return page(
      [...published, ...killed].filter(({ action }) => wanted === null || action === wanted),
      query,
      SHAPES.audit,
      'audit log',
    );
  }

  function lists(kind: string, query: URLSearchParams): Answer {
    if (kind === 'jobs') {
      const [parentTask, parentJob, rerunOf] = ['parentTaskId', 'parentJobId', 'rerunOf'].map((name) =>
        query.get(name),
      );
      const ofJob = (one: Job) => one.parentTaskId !== null && tasks.row(one.parentTaskId)?.jobId === parentJob;
      return page(
        jobs.filter(
          (one) =>
            (parentTask === null || one.parentTaskId === parentTask) &&
            (parentJob === null || ofJob(one)) &&
            (rerunOf === null || one.rerunOf === rerunOf),
        ),
        query,
        SHAPES.jobs,
        'jobs',
      );
    }
    if (kind === 'workers') return page(workers(), query, SHAPES.workers, 'workers');
    if (kind === 'failures') return page(failures(), query, SHAPES.failures, 'failure groups');
    if (kind === 'audit') return audit(query);
    if (kind === 'session')
      return found(JSON.stringify({ actor: manifest.createdBy, role: 'operator', expiresAt: null }), null, 'session');
    if (kind === 'metrics') return found(jobMetrics(query), SHAPES.metrics, 'metrics');
    return notHere('NOT_IN_BUNDLE', kind);
  }

  /** Points in the range that is asked for, as fine as they were taken. */
  function jobMetrics(query: URLSearchParams): string {
    const name =
      query.get('job_id') === null
        ? INCIDENT_PATHS.metrics(query.get('measurement') ?? '')
        : INCIDENT_PATHS.jobMetrics(query.get('job_id') ?? '');
    const bytes = parts.get(name);
    const none: Metrics = {
      from: manifest.createdAt,
      to: manifest.createdAt,
      interval: null,
      filters: {},
      dataPoints: [],
      totalDataPoints: 0,
      metricNames: [],
    };
    const all = bytes ? shaped<Metrics>(bytes, SHAPES.metrics, name) : none;
    const [from, to] = [Date.parse(query.get('from') ?? ''), Date.parse(query.get('to') ?? '')];
    return JSON.stringify({
      ...all,
      dataPoints: all.dataPoints.filter(
        ({ timestamp }) => !(Date.parse(timestamp) < from) && !(Date.parse(timestamp) > to),
      ),
    });
  }

  function series(query: URLSearchParams): string {
    const bytes =
      query.get('measurement') === 'worker_metrics' && query.get('field') === 'gauge_cpu_usage'
        ? parts.get(INCIDENT_PATHS.processors)
        : undefined;
    const all = bytes
      ? shaped<MetricSeries>(bytes, SHAPES.series, INCIDENT_PATHS.processors)
      : { from: manifest.createdAt, to: manifest.createdAt, interval: null, series: [], total: 0 };
    const [from, to] = [Date.parse(query.get('from') ?? ''), Date.parse(query.get('to') ?? '')];
    const cut = all.series.map(({ tags, times, values }) => {
      const kept = times.flatMap((time, i) => (!(time < from) && !(time > to) ? [i] : []));
      return { tags, times: kept.map((i) => times[i] ?? 0), values: kept.map((i) => values[i] ?? 0) };
    });
    return JSON.stringify({ ...all, series: cut });
  }

  function answer(method: string, url: string): Answer {
    if (method !== 'GET')
      return problem(403, 'READ_ONLY', 'Read-only', 'This is an incident bundle: nothing in it can be changed.');
    const { pathname, searchParams: query } = new URL(url, 'http://bundle');
    const [, kind = '', id = '', rest = ''] = /^\/api\/v1\/([^/]+)(?:\/([^/]+)(?:\/(.*))?)?$/.exec(pathname) ?? [];
    const name = decoded(id);
    if (id === '') return lists(kind, query);
    if (kind === 'jobs') return job(name, rest, query);
    if (kind === 'tasks') return task(name, rest);
    if (kind === 'workflows') return workflow(name, rest, query);
    if (kind === 'workers')
      return textOr(
        stringOf(workers().find((one) => one?.id === name)),
        SHAPES.worker,
        'WORKER_NOT_FOUND',
        `worker ${name}`,
      );
    if (kind === 'failures')
      return textOr(
        stringOf(failures().find((one) => one?.id === name)),
        SHAPES.failure,
        'FAILURE_NOT_FOUND',
        `failure group ${name}`,
      );
    if (kind === 'logs' && (name === 'search' || name === 'hits' || name === 'context'))
      return found(logs[name](query), SHAPES[name], 'log lines');
    if (kind === 'metrics' && name === 'series') return found(series(query), SHAPES.series, 'metrics of the workers');
    if (kind === 'logs') return found('{"values":[],"complete":true}', null, 'fields');
    return notHere('NOT_IN_BUNDLE', pathname);
  }

  return (method, url) => {
    try {
      return answer(method, url);
    } catch (error) {
      if (!(error instanceof BundleFault)) throw error;
      return problem(
        422,
        'BUNDLE_DAMAGED',
        'Damaged bundle',
        `The data does not have the shape of the API, so it is not shown: ${error.detail}.`,
      );
    }
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const stringOf = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
const textOr = (text: string | null, shape: TSchema, code: string, what: string): Answer =>
  text === null ? notHere(code, what) : found(text, shape, what);

/** The text of one member of a JSON object, to the letter: numbers of payloads stay as they are. */
function memberOf(text: string, name: string): string {
  return JSON.stringify(parseJson<Record<string, unknown>>(text)[name] ?? null);
}
