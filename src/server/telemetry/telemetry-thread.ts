import type { OtlpTarget } from '../../contract/process.ts';
import { notifyParent, serveThread, threadData } from '../offload/serve-thread.ts';
import type { Codec, Origin } from './codec.ts';
import { createExporter, type Exporter } from './exporter.ts';
import { jsonCodec } from './json-codec.ts';
import { logRecordsOf } from './log-records.ts';
import { type MetricRecord, type SpanRecord, type TelemetryStats } from './port.ts';
import { OTLP_SIGNALS, type OtlpSignal } from '../../contract/vocabulary.ts';
import { createPost } from './post.ts';
import { createProtobufCodec } from './protobuf-codec.ts';

export interface TelemetryThreadData {
  readonly targets: Readonly<Record<OtlpSignal, OtlpTarget | null>>;
  readonly origin: Origin;
  readonly queueBytes: number;
  readonly batchRecords: number;
  readonly delayMs: number;
}

/** A line for people. */
export interface TelemetryEvent {
  readonly line: string;
}

const data = threadData<TelemetryThreadData>();
const running = new Map<OtlpSignal, { readonly exporter: Exporter; readonly codec: Codec; close(): void }>();
for (const signal of OTLP_SIGNALS) {
  const target = data.targets[signal];
  if (target === null) continue;
  const codec = target.encoding === 'json' ? jsonCodec : createProtobufCodec();
  const { post, close } = createPost(target, codec.contentType);
  const exporter = createExporter({
    ...data,
    ...{ signal, codec, post },
    log: (line) => notifyParent({ line: `OTLP: ${line} (${target.url})` } satisfies TelemetryEvent),
  });
  running.set(signal, { exporter, codec, close });
}

function put<T>(signal: OtlpSignal, records: Iterable<T>, write: (codec: Codec, record: T) => Buffer): void {
  const one = running.get(signal);
  if (one) for (const record of records) one.exporter.put(write(one.codec, record));
}

const stats = (): TelemetryStats =>
  Object.fromEntries([...running].map(([signal, { exporter }]) => [signal, exporter.stats()]));

/** Writes records as OTLP and sends them: none of that is work for the master's own loop. Each call answers with what became of all so far. */
const methods = {
  spans(spans: readonly SpanRecord[]) {
    put('traces', spans, (codec, span) => codec.span(span));
    return stats();
  },
  /** A JSON array of log lines as the log store gives them. */
  logs(text: string) {
    put('logs', logRecordsOf(text, data.origin.resource), (codec, line) => codec.log(line));
    return stats();
  },
  metrics(metrics: readonly MetricRecord[]) {
    put('metrics', metrics, (codec, metric) => codec.metric(metric));
    return stats();
  },
  stats,
  async close(ms: number) {
    await Promise.all([...running.values()].map(({ exporter }) => exporter.close(ms)));
    for (const { close } of running.values()) close();
    return stats();
  },
};
export type TelemetryMethods = typeof methods;
serveThread(methods);
