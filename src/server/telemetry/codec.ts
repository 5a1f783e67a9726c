import type { Attributes, LogRecord, MetricRecord, SpanRecord } from './port.ts';
import type { OtlpSignal } from '../../contract/vocabulary.ts';

/** What every record of a request has in common. */
export interface Origin {
  /** Attributes of the resource, `service.name` among them. */
  readonly resource: Attributes;
  /** Of the instrumentation scope. */
  readonly version: string;
}

/** How many records of a request were refused, and why; null: all were taken. */
export type PartialSuccess = { readonly rejected: number; readonly message: string } | null;

/** One of the two ways in which OTLP is written. A record is written once, when it comes; a request is made of such. */
export interface Codec {
  readonly contentType: string;
  span(span: SpanRecord): Buffer;
  log(line: LogRecord): Buffer;
  metric(metric: MetricRecord): Buffer;
  request(signal: OtlpSignal, origin: Origin, records: readonly Buffer[]): Buffer;
  /** Reads an answer with status 200. */
  partialSuccess(signal: OtlpSignal, body: Buffer): PartialSuccess;
}

export const SCOPE = 'yardmaster';

export const nanos = (ms: number): bigint => BigInt(Math.round(ms * 1000)) * 1000n;

/** OpenTelemetry's numbers for the names of levels that are in use. */
const SEVERITIES: Readonly<Record<string, number>> = {
  TRACE: 1,
  DEBUG: 5,
  INFO: 9,
  NOTICE: 10,
  WARN: 13,
  WARNING: 13,
  ERROR: 17,
  CRITICAL: 21,
  FATAL: 21,
};
/** 0: not known. */
export const severityOf = (level: string): number => SEVERITIES[level.toUpperCase()] ?? 0;
