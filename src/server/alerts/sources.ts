import type { Approvals } from '../approvals/port.ts';
import type { Cluster } from '../../contract/cluster.ts';
import { parseStored } from '../../lib/json.ts';
import type { AlertQuery } from '../../contract/alert-rules.ts';
import type { Signal } from '../../contract/vocabulary.ts';
import { iso } from '../../lib/clock.ts';
import { filtersWithin } from '../../lib/logsql/filters-within.ts';
import { tagsWithin } from '../../lib/tags-within.ts';
import { parseQuery } from '../../lib/logsql/parse.ts';
import type { Logs } from '../logs/port.ts';
import type { SeriesAnswer, SeriesQuery } from '../metrics/port.ts';
import { clusterReadings, isClusterSignal } from './cluster-readings.ts';
import type { ScheduleTrouble } from '../schedules/port.ts';
import type { WebhookTrouble } from '../webhooks/port.ts';
import type { TargetState } from './target-states.ts';
import type { Labels } from './fingerprint.ts';

/** What rules look at. Queries run in the threads of their stores. */
export interface AlertSources {
  series(query: SeriesQuery): Promise<SeriesAnswer>;
  readonly logs: Pick<Logs, 'hits' | 'run'>;
  readonly engine: EngineSource;
  /** Workflows of a project as it is now. */
  workflowsOf(project: string): readonly string[];
}

export interface EngineSource {
  workers(): { readonly total: number; readonly down: number };
  /** Workers that fell silent without a goodbye and are still Down. `since` in milliseconds. */
  lost(): readonly { readonly id: string; readonly url: string; readonly since: number }[];
  queueDepth(): number;
  tasks(): Promise<{ readonly ready: number; readonly scheduled: number; readonly running: number }>;
  /** Share of the data folder's disk that is used, 0 to 1. */
  diskUsed(): Promise<number>;
  /** Log lines that are accepted and not stored yet. */
  pipelineQueue(): number;
  /** Wrong tokens, keys and sign-in codes of the last five minutes. */
  wrongCredentials(): number;
  /** What the log port refused since `from` (milliseconds), by reason. */
  sendersRefused(from: number): readonly { readonly reason: string; readonly count: number }[];
  /** Approvals since `from` (milliseconds) that no second person gave. */
  approvalsWatched(from: number): readonly { readonly reason: string; readonly count: number }[];
  /** Approvals that jobs wait for, the oldest first. */
  approvalsWaiting: Approvals['waiting'];
  /** Parts of the data that are known to be damaged. */
  damagedData(): number;
  /** Systems elsewhere that log lines, metrics and traces are sent to. */
  targets(): readonly TargetState[];
  /** What they lost since `from` (milliseconds). */
  targetsLost(from: number): readonly { readonly target: string; readonly address: string; readonly count: number }[];
  /** Attempts that ended since `from` (milliseconds); null: that long ago is not counted. */
  runs(from: number): Promise<readonly RunCount[] | null>;
  /** Due times of schedules since `from` (milliseconds) that had no job, or one that was late. */
  schedules(from: number): readonly ScheduleTrouble[];
  /** Deliveries to webhooks since `from` (milliseconds) that went wrong. */
  webhooks(from: number): readonly WebhookTrouble[];
  /** The masters as they stand. */
  cluster(): Promise<Cluster>;
}

/** Attempts of a workflow in an environment ('' = none) that ended. */
export interface RunCount {
  readonly workflowId: string;
  readonly environment: string;
  readonly runs: number;
  readonly failed: number;
}

/** One series over the range: window starts in milliseconds, oldest first. */
export interface Sample {
  readonly labels: Labels;
  readonly times: readonly number[];
  readonly values: readonly number[];
}
export interface Samples {
  readonly samples: readonly Sample[];
  /** Series that there were before the limit. */
  readonly total: number;
}

export interface Range {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** Milliseconds of a window; null: what the query says, or one for the whole range. */
  readonly stepMs: number | null;
  /** Most series. */
  readonly limit: number;
  /** Milliseconds that each window of a rate looks back on; default: the window alone. */
  readonly backMs?: number;
}

/** Runs below this many are too few to speak of a rate. */
const MIN_RUNS = 20;

/** Answers a rule's query over a range. `project`: by what its workflows wrote alone, whatever the query says. */
export async function querySamples(
  sources: AlertSources,
  query: AlertQuery,
  range: Range,
  signal: AbortSignal,
  project: string | undefined,
): Promise<Samples> {
  const within = project === undefined ? null : sources.workflowsOf(project);
  if (query.source === 'metrics') {
    const intervalMs = range.stepMs ?? (query.stepSeconds === undefined ? null : query.stepSeconds * 1000);
    const { measurement, field, aggregate, groupBy = [], filters = {} } = query;
    const answer = await sources.series({
      measurement,
      field,
      aggregate,
      groupBy,
      filters: tagsWithin(within, filters),
      from: range.from,
      to: range.to,
      intervalMs,
      limit: range.limit,
    });
    return {
      samples: answer.series.map(({ tags, times, values }) => ({ labels: tags, times, values })),
      total: answer.total,
    };
  }
  if (query.source === 'logs') {
    const by = statsOf(query.query);
    return by === null
      ? logSamples(sources.logs, query, range, within)
      : logStats(sources.logs, query.query, by, range, signal, within);
  }
  return signalSamples(sources, query.signal, range);
}

async function logSamples(
  logs: AlertSources['logs'],
  { query, groupBy, stepSeconds }: Extract<AlertQuery, { source: 'logs' }>,
  range: Range,
  within: readonly string[] | null,
): Promise<Samples> {
  const stepMs = range.stepMs ?? (stepSeconds === undefined ? range.to - range.from : stepSeconds * 1000);
  const { hits } = await logs.hits({
    query,
    from: iso(range.from),
    to: iso(range.to),
    stepMs,
    ...(within && { within }),
    ...(groupBy === undefined ? {} : { field: groupBy }),
  });
  const samples = hits
    .filter(({ total }) => total > 0)
    .map(({ fields, timestamps, values }) => ({
      labels: groupBy === undefined ? {} : { [groupBy]: fields[groupBy] ?? '' },
      times: timestamps.map((at) => Date.parse(at)),
      values,
    }));
  // No record is a count too: zero.
  if (groupBy === undefined && samples.length === 0)
    return { samples: [{ labels: {}, times: [range.from], values: [0] }], total: 1 };
  return { samples: samples.slice(0, range.limit), total: samples.length };
}

/** The fields that the last `stats` of a query groups by; null: it has none, and its matches are counted. Throws QUERY_INVALID. */
function statsOf(query: string): readonly string[] | null {
  const stats = parseQuery(query).pipes.findLast((pipe) => pipe.kind === 'stats');
  return stats ? stats.by.map(({ field }) => field) : null;
}
export const isStats = (query: AlertQuery): boolean => query.source === 'logs' && statsOf(query.query) !== null;

/** Rows of a result that are looked at; a query that gives more has lost sight of what it is for. */
const MAX_ROWS = 20_000;
const STATS_MS = 60_000;

/** Rows of `… | stats by (a) count() n`: a series each, told by what it groups by; its value is the last field that is a number. */
async function logStats(
  logs: AlertSources['logs'],
  query: string,
  by: readonly string[],
  { from, to, limit }: Range,
  signal: AbortSignal,
  within: readonly string[] | null,
): Promise<Samples> {
  const samples: Sample[] = [];
  let total = 0;
  let rest = '';
  const decoder = new TextDecoder();
  const take = (line: string) => {
    const row = parseStored<Record<string, unknown>>(line);
    const [, value] =
      Object.entries(row).findLast(
        ([name, text]) => !by.includes(name) && text !== '' && Number.isFinite(Number(text)),
      ) ?? [];
    if (value === undefined) return;
    total++;
    if (samples.length < limit)
      samples.push({
        labels: Object.fromEntries(by.map((name) => [name, String(row[name] ?? '')])),
        times: [to - 1],
        values: [Number(value)],
      });
  };
  for await (const page of logs.run(
    { query, from, to, extraFilters: filtersWithin(within), limit: null, offset: 0, now: to, timeoutMs: STATS_MS },
    signal,
  )) {
    const lines = (rest + decoder.decode(page, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') take(line);
    if (total >= MAX_ROWS) break;
  }
  if (rest !== '') take(rest);
  return { samples, total };
}

/** What the master knows by itself is known of now alone; the failure rate has a history. */
async function signalSamples(sources: AlertSources, signal: Signal, range: Range): Promise<Samples> {
  const { engine } = sources;
  const now = (value: number, labels: Labels = {}): Sample => ({ labels, times: [range.to], values: [value] });
  const all = (samples: readonly Sample[]): Samples => ({
    samples: samples.slice(0, range.limit),
    total: samples.length,
  });
  if (isClusterSignal(signal))
    return all(
      clusterReadings(signal, await engine.cluster(), range.from).map(({ value, labels }) => now(value, labels)),
    );
  switch (signal) {
    case 'workersUp': {
      const { total, down } = engine.workers();
      // A master that has no workers and no work lacks nothing.
      return all(total === 0 && engine.queueDepth() === 0 ? [] : [now(total - down)]);
    }
    case 'workersLost':
      return all(
        engine.lost().map(({ id, url, since }) => now(Math.max(1, (range.to - since) / 1000), { worker_id: id, url })),
      );
    case 'tasksStuck': {
      if (engine.queueDepth() === 0) return all([now(0)]);
      const { ready, scheduled, running } = await engine.tasks();
      return all([now(scheduled + running > 0 ? 0 : ready)]);
    }
    case 'diskUsed':
      return all([now(await engine.diskUsed())]);
    case 'pipelineBacklog':
      return all([now(engine.pipelineQueue())]);
    case 'wrongCredentials':
      return all([now(engine.wrongCredentials())]);
    case 'sendersRefused':
      return all(engine.sendersRefused(range.from).map(({ reason, count }) => now(count, { reason })));
    case 'approvalsWatched':
      return all(engine.approvalsWatched(range.from).map(({ reason, count }) => now(count, { reason })));
    case 'approvalsWaiting':
      return all(
        engine.approvalsWaiting(range.limit).map(({ id, wait, since, reminded }) =>
          now(Math.max(0, (range.to - since) / 1000), {
            approval: id,
            workflow_id: wait.workflowId,
            environment: wait.environment ?? '',
            title: wait.title.slice(0, 200),
            ...(reminded ? { reminder: 'true' } : {}),
          }),
        ),
      );
    case 'targetsBehind':
      return all(engine.targets().map(({ target, address, behindSeconds }) => now(behindSeconds, { target, address })));
    case 'targetsLosing':
      return all(engine.targetsLost(range.from).map(({ target, address, count }) => now(count, { target, address })));
    case 'damagedData':
      return all([now(engine.damagedData())]);
    case 'schedulesMissed':
    case 'schedulesLate':
      return all(
        engine.schedules(range.from).flatMap(({ scheduleId, workflowId, environment, missed, late }) => {
          const value = signal === 'schedulesMissed' ? missed : late;
          const labels = { schedule_id: scheduleId, workflow_id: workflowId, environment };
          return value === 0 ? [] : [now(value, labels)];
        }),
      );
    case 'webhooksFailing':
    case 'webhooksRefused':
      return all(
        engine.webhooks(range.from).flatMap(({ webhookId, workflowId, environment, failed, refused }) => {
          const value = signal === 'webhooksFailing' ? failed : refused;
          const labels = { webhook_id: webhookId, workflow_id: workflowId, environment };
          return value === 0 ? [] : [now(value, labels)];
        }),
      );
    case 'failureRate':
      return failureRate(sources, range);
  }
}

async function failureRate(sources: AlertSources, { from, to, stepMs, limit, backMs }: Range): Promise<Samples> {
  // What is looked at every few seconds is counted as it happens, and not read from millions of points.
  const counted = stepMs === null ? await sources.engine.runs(from) : null;
  if (counted) {
    const enough = counted.filter(({ runs }) => runs >= MIN_RUNS);
    return {
      samples: enough.slice(0, limit).map(({ workflowId, environment, runs, failed }) => ({
        labels: { workflow_id: workflowId, environment },
        times: [from],
        values: [failed / runs],
      })),
      total: enough.length,
    };
  }
  const ask = (aggregate: 'sum' | 'count') =>
    sources.series({
      measurement: 'task_metrics',
      field: 'counter_error_count',
      aggregate,
      groupBy: ['workflow_id', 'environment'],
      filters: {},
      from,
      to,
      intervalMs: stepMs,
      limit,
    });
  const [errors, runs] = await Promise.all([ask('sum'), ask('count')]);
  const keyOf = ({ tags }: SeriesAnswer['series'][number]) =>
    JSON.stringify([tags['workflow_id'], tags['environment']]);
  const failed = new Map(
    errors.series.map((one) => [keyOf(one), new Map(one.times.map((at, i) => [at, one.values[i] ?? 0]))]),
  );
  const samples = runs.series.flatMap((one): Sample[] => {
    const of = failed.get(keyOf(one));
    const counts = one.times.map((at, i) => ({ at, runs: one.values[i] ?? 0, failed: of?.get(at) ?? 0 }));
    const rates = stepMs === null || backMs === undefined ? counts : lookingBack(counts, { from, to, stepMs, backMs });
    const enough = rates.filter((rate) => rate.runs >= MIN_RUNS);
    return enough.length === 0
      ? []
      : [
          {
            labels: { workflow_id: one.tags['workflow_id'] ?? '', environment: one.tags['environment'] ?? '' },
            times: enough.map(({ at }) => at),
            values: enough.map((rate) => rate.failed / rate.runs),
          },
        ];
  });
  return { samples, total: runs.total - (runs.series.length - samples.length) };
}

interface Counted {
  readonly at: number;
  readonly runs: number;
  readonly failed: number;
}

/** For each window of the range what was counted in it and in those before it, `backMs` together. */
function lookingBack(
  counts: readonly Counted[],
  {
    from,
    to,
    stepMs,
    backMs,
  }: { readonly from: number; readonly to: number; readonly stepMs: number; readonly backMs: number },
): Counted[] {
  const found: Counted[] = [];
  let [low, high, runs, failed] = [0, 0, 0, 0];
  for (let at = Math.floor(from / stepMs) * stepMs; at < to; at += stepMs) {
    for (let next = counts[high]; next && next.at <= at; next = counts[++high])
      [runs, failed] = [runs + next.runs, failed + next.failed];
    for (let first = counts[low]; first && low < high && first.at <= at - backMs; first = counts[++low])
      [runs, failed] = [runs - first.runs, failed - first.failed];
    found.push({ at, runs, failed });
  }
  return found;
}
