import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { RemoteMetricsOptions } from '../../../contract/process.ts';
import { errorMessage } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';
import { influxError, influxWords } from '../../../lib/influxdb/answer.ts';
import type { RemoteHttp, RemoteResponse } from '../../../lib/remote-http.ts';
import { networkWords } from '../../../lib/remote-text.ts';
import { createCsvReader, CsvCutOff, FluxFailed, type CsvTable } from './annotated-csv.ts';

export interface QueryGuard {
  /** Of this query: it was cancelled, or took too long. */
  readonly signal: AbortSignal;
  readonly seconds: number;
  /** Rows that its answer may have. */
  readonly mostRows: number;
  /** Points before this time, Unix ms, have been delivered. */
  readonly settled: number;
}

export type OnRow = (result: string, table: CsvTable, cells: readonly string[]) => void;

const SILENT_MS = 120_000;

/**
 * Runs a Flux program, row by row. Throws METRICS_UNAVAILABLE where InfluxDB does not answer, QUERY_INVALID where it
 * refuses the program, METRICS_TIMEOUT and METRICS_TOO_BROAD above the limits.
 */
export async function runFlux(
  http: RemoteHttp,
  { url, organization }: Pick<RemoteMetricsOptions, 'url' | 'organization'>,
  program: string,
  guard: QueryGuard,
  onRow: OnRow,
): Promise<void> {
  const unavailable = (why: string) =>
    new Fault('METRICS_UNAVAILABLE', `the metric store ${url} cannot be queried: ${why}`);
  let answer: RemoteResponse;
  try {
    answer = await http.request({
      method: 'POST',
      path: `/api/v2/query?${new URLSearchParams({ org: organization }).toString()}`,
      headers: { 'content-type': 'application/json', accept: 'application/csv', 'accept-encoding': 'gzip' },
      body: JSON.stringify({
        query: program,
        type: 'flux',
        dialect: { header: true, delimiter: ',', annotations: ['datatype', 'group', 'default'] },
      }),
      signal: guard.signal,
      idleMs: SILENT_MS,
    });
    if (answer.status !== 200) {
      const { status, headers } = answer;
      const text = await answer.text(64 * 1024);
      const { code, message } = influxError({ status, text });
      if (status === 400 && code !== null) throw refused(message);
      throw unavailable(
        influxWords({ status, headers, text, retryAfterMs: null }, `the bucket or organization "${organization}"`),
      );
    }
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw ended(guard) ?? unavailable(networkWords(error));
  }

  // A page of something that is in the way would look as if there were no points.
  if (/^text\/html/i.test(answer.headers['content-type'] ?? '')) {
    answer.body.destroy();
    throw unavailable('it answered with a web page: check the address, and what is between it and the master');
  }
  let rows = 0;
  const reader = createCsvReader((result, table, cells) => {
    if (++rows > guard.mostRows)
      throw new Fault(
        'METRICS_TOO_BROAD',
        `the query returns more than ${guard.mostRows} rows (limits metricsQueryValues and metricsQueryBytes): narrow the time range, or group by fewer tags`,
      );
    onRow(result, table, cells);
  });
  // A broken stream is told to whoever reads it.
  const body: Readable =
    answer.headers['content-encoding'] === 'gzip' ? pipeline(answer.body, createGunzip(), () => {}) : answer.body;
  try {
    for await (const text of body.setEncoding('utf8')) {
      // What was packed may be all there long before it is read.
      guard.signal.throwIfAborted();
      reader.push(text as string);
    }
    reader.end();
  } catch (error) {
    answer.body.destroy();
    if (error instanceof Fault) throw error;
    if (error instanceof FluxFailed) throw refused(error.message);
    if (error instanceof CsvCutOff) throw unavailable(error.message);
    throw ended(guard) ?? unavailable(`the response was cut off (${errorMessage(error)})`);
  }
}

/** InfluxDB's own words: they name what is wrong with a field or its type. */
const refused = (message: string): Fault =>
  new Fault('QUERY_INVALID', `the metric store refused the query: ${message.slice(0, 500)}`);

function ended({ signal, seconds }: QueryGuard): Fault | null {
  if (!signal.aborted) return null;
  return signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError'
    ? new Fault(
        'METRICS_TIMEOUT',
        `the query took longer than ${seconds} s (limit metricsQuerySeconds): narrow the time range, or filter by a job or measurement`,
      )
    : new Fault('QUERY_CANCELLED', 'the query was cancelled');
}
