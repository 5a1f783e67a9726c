import { randomBytes } from 'node:crypto';
import type { Limits } from '../../contract/limits.ts';
import type { OtlpOptions } from '../../contract/process.ts';
import type { OtlpState } from '../../contract/settings.ts';
import { VERSION } from '../../contract/version.ts';
import { every } from '../../lib/clock.ts';
import { threadFile } from '../../lib/thread-file.ts';
import { createThread } from '../offload/thread.ts';
import type { Logs } from '../logs/port.ts';
import type { Sample } from '../observability/port.ts';
import { refuseOwnLogPort } from './own-log-port.ts';
import { otlpInfo } from './otlp-info.ts';
import type { SignalStats, SpanRecord, TelemetryStats, Tracing } from './port.ts';
import { createSampler } from './sampler.ts';
import type { TelemetryEvent, TelemetryMethods, TelemetryThreadData } from './telemetry-thread.ts';

export interface TelemetryDeps {
  readonly options: OtlpOptions;
  readonly limits: Readonly<Pick<Limits, 'otlpQueueBytes' | 'otlpBatchRecords'>>;
  /** The ID of this master. */
  readonly instance: string;
  readonly startedAt: number;
  /** The log port, and what it is bound to. */
  readonly logPort: { readonly host: string; readonly port: number };
  log(line: string): void;
  onError(error: unknown): void;
}

export interface Telemetry {
  /** Null: traces are not exported. */
  readonly tracing: Tracing | null;
  /** Begins to export the log lines and the values of `/metrics`, where they are to be. */
  start(sources: { readonly logs: Pick<Logs, 'tail'>; samples(): readonly Sample[] }): void;
  stats(): TelemetryStats;
  /** The same as the settings show it. */
  info(): OtlpState[];
  /** Sends what waits, within seconds. */
  close(): Promise<void>;
}

/** Spans go to the thread in handfuls of this size, or after this time. */
const HANDFUL = 256;
const GATHER_MS = 500;
const CLOSE_MS = 3000;
const RESTART_MS = 1000;

/**
 * Exports traces, metrics and log lines by OTLP. The master only gathers: a thread writes and sends.
 *
 * @throws USAGE where log lines are to go to the log port of this master
 */
export async function openTelemetry(deps: TelemetryDeps): Promise<Telemetry> {
  const { options, limits, onError } = deps;
  const { traces, metrics, logs } = options;
  if (logs) await refuseOwnLogPort(logs.url, deps.logPort);
  const data: TelemetryThreadData = {
    targets: { traces, metrics, logs },
    origin: {
      resource: {
        'service.name': 'yardmaster',
        'service.version': VERSION,
        'service.instance.id': deps.instance,
        ...options.resource,
      },
      version: VERSION,
    },
    queueBytes: limits.otlpQueueBytes,
    batchRecords: limits.otlpBatchRecords,
    delayMs: options.delayMs,
  };
  const thread = createThread<TelemetryMethods, TelemetryEvent>({
    file: threadFile(import.meta.url, './telemetry-thread.ts', 'telemetry-thread.js'),
    name: 'the OTLP export thread',
    data: () => data,
    memory: () => ({ youngMb: 12 }),
    onEvent: ({ line }) => deps.log(line),
    onExit(why) {
      // Its counts begin anew.
      past = addStats(past, last);
      last = {};
      if (why !== null) onError(new Error(`the OTLP export thread ended: ${why}`));
    },
    restartMs: RESTART_MS,
  });
  /** Of threads that ended, and of the one that runs. */
  let past: TelemetryStats = {};
  let last: TelemetryStats = {};
  /** Lost before the thread had them. */
  const lost = { traces: 0, metrics: 0, logs: 0 };
  /** With the thread, which may be busy. */
  let spansUnderWay = 0;
  let charactersUnderWay = 0;
  const maySpans = Math.max(HANDFUL * 8, Math.floor(limits.otlpQueueBytes / SPAN_BYTES));

  let gathered: SpanRecord[] = [];
  function giveSpans(): void {
    if (gathered.length === 0) return;
    const spans = gathered;
    gathered = [];
    if (spansUnderWay + spans.length > maySpans) return void (lost.traces += spans.length);
    spansUnderWay += spans.length;
    thread
      .call('spans', spans)
      .then(
        (stats) => void (last = stats),
        () => void (lost.traces += spans.length),
      )
      .finally(() => (spansUnderWay -= spans.length));
  }

  function giveLogs(text: string, count: number, missed = 0): void {
    lost.logs += missed;
    if (count === 0) return;
    if (charactersUnderWay + text.length > limits.otlpQueueBytes) return void (lost.logs += count);
    charactersUnderWay += text.length;
    thread
      .call('logs', text)
      .then(
        (stats) => void (last = stats),
        () => void (lost.logs += count),
      )
      .finally(() => (charactersUnderWay -= text.length));
  }

  async function giveMetrics(samples: readonly Sample[]): Promise<void> {
    const at = Date.now();
    const records = samples.map((sample) => ({ ...sample, from: deps.startedAt, at }));
    last = await thread.call('metrics', records);
  }

  const stops: (() => Promise<void>)[] = [];
  stops.push(
    every(
      GATHER_MS,
      async () => {
        giveSpans();
        last = await thread.call('stats');
      },
      () => {},
    ),
  );

  function stats(): TelemetryStats {
    const sum = addStats(past, last);
    const queued = { traces: gathered.length + spansUnderWay, metrics: 0, logs: 0 };
    return Object.fromEntries(
      (['traces', 'metrics', 'logs'] as const)
        .filter((signal) => data.targets[signal] !== null)
        .map((signal) => {
          const known = sum[signal] ?? NOTHING;
          return [
            signal,
            {
              ...known,
              dropped: known.dropped + lost[signal],
              queued: known.queued + queued[signal],
              lostReason: known.lostReason ?? (lost[signal] > 0 ? 'more came than can be exported' : null),
            },
          ];
        }),
    );
  }

  return {
    tracing: traces && {
      decide: createSampler(options.sampling, () => randomBytes(16).toString('hex'), Math.random),
      put(span) {
        gathered.push(span);
        if (gathered.length >= HANDFUL) giveSpans();
      },
    },
    start({ logs: lines, samples }) {
      if (logs) {
        const stop = new AbortController();
        stops.push(async () => stop.abort());
        lines.tail({}, giveLogs, stop.signal);
      }
      if (metrics)
        stops.push(
          every(
            options.metricIntervalMs,
            () => giveMetrics(samples()),
            () => void lost.metrics++,
          ),
        );
    },
    stats,
    info: () => otlpInfo(data.targets, stats()),
    async close() {
      await Promise.all(stops.map((stop) => stop()));
      giveSpans();
      try {
        last = await thread.call('close', CLOSE_MS);
      } catch {
        // It has ended, with all that it had.
      }
      await thread.close();
    },
  };
}

/** About what a span takes in memory. */
const SPAN_BYTES = 1024;
const NOTHING: SignalStats = {
  ...{ exported: 0, dropped: 0, queued: 0, failing: null },
  ...{ bytes: 0, oldestAt: null, since: null, lostReason: null },
};

/** Counts of both; what is queued and failing is what the latter says. What an ended thread had queued is lost. */
function addStats(before: TelemetryStats, now: TelemetryStats): TelemetryStats {
  const signals = new Set([...Object.keys(before), ...Object.keys(now)]) as Set<keyof TelemetryStats>;
  return Object.fromEntries(
    [...signals].map((signal) => {
      const [past, last] = [before[signal] ?? NOTHING, now[signal] ?? NOTHING];
      return [
        signal,
        {
          ...last,
          exported: past.exported + last.exported,
          dropped: past.dropped + past.queued + last.dropped,
          lostReason: last.lostReason ?? (past.queued > 0 ? 'the OTLP export thread ended' : past.lostReason),
        },
      ];
    }),
  );
}
