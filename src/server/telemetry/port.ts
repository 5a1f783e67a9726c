import type { OtlpSignal } from '../../contract/vocabulary.ts';
import type { SpanKind } from '../../lib/span-kind.ts';
import type { TraceContext } from '../../lib/trace-context.ts';

/** Values of attributes. Whole numbers are sent as integers. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A span that has ended. Trace IDs have 32 hexadecimal digits, span IDs 16; times are Unix ms. */
export interface SpanRecord {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
  readonly events: readonly { readonly name: string; readonly at: number; readonly attributes: Attributes }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string; readonly attributes: Attributes }[];
  /** Why it failed; null: it did not. */
  readonly error: string | null;
}

/** What jobs tell of themselves where traces are exported. */
export interface Tracing {
  /** The trace of a new job, given what its caller named; null: it is part of none. Whether it is sampled is decided here, once. */
  decide(given: TraceContext | null): TraceContext | null;
  /** Takes a span of a sampled trace. Never waits; above the limits it is dropped and counted. */
  put(span: SpanRecord): void;
}

/** A log line as it is exported. */
export interface LogRecord {
  /** Unix nanoseconds. */
  readonly time: bigint;
  readonly body: string;
  readonly level: string;
  readonly traceId: string | null;
  readonly spanId: string | null;
  readonly attributes: Attributes;
}

/** One value of a metric. `from`, `at`: Unix ms; a counter counts since `from`. */
export interface MetricRecord {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter';
  readonly value: number;
  readonly from: number;
  readonly at: number;
}

/** How the export of one signal goes. Counts are of records (spans, log lines, values) since the start. */
export interface SignalStats {
  readonly exported: number;
  /** Lost: the queue was full, or the receiver refused them. */
  readonly dropped: number;
  readonly queued: number;
  /** Why the last request failed; null: it did not. */
  readonly failing: string | null;
  /** Bytes of what is queued, and when the oldest of it came (Unix ms; null: nothing is). */
  readonly bytes: number;
  readonly oldestAt: number | null;
  /** Since when requests fail or succeed, Unix ms; null: there was none. */
  readonly since: number | null;
  /** Why records were lost, the last time. */
  readonly lostReason: string | null;
}
export type TelemetryStats = Readonly<Partial<Record<OtlpSignal, SignalStats>>>;
