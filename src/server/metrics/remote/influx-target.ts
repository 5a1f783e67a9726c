import { gunzipSync, gzipSync } from 'node:zlib';
import type { RemoteMetricsOptions } from '../../../contract/process.ts';
import { influxError, influxWords } from '../../../lib/influxdb/answer.ts';
import type { RemoteHttp } from '../../../lib/remote-http.ts';
import { askRemote, networkWords, type RemoteText } from '../../../lib/remote-text.ts';
import type { Sent, Target } from './delivery.ts';

/** Line protocol as it waits on disk and is sent. */
export const packLines = (lines: string): Buffer => gzipSync(lines, { level: 1 });

/** Requests for parts of one batch in which the store refuses lines. */
const MOST_PARTS = 256;
const LINE_FEED = 10;

/** Writes line protocol to a bucket of an InfluxDB 2. */
export function createInfluxTarget(
  http: RemoteHttp,
  { organization }: Pick<RemoteMetricsOptions, 'organization'>,
  bucket: string,
): Target {
  const what = `bucket "${bucket}" of organization "${organization}"`;

  async function write(body: Buffer, signal: AbortSignal): Promise<RemoteText> {
    return await askRemote(http, '/api/v2/write', {
      method: 'POST',
      query: { org: organization, bucket, precision: 'ns' },
      headers: { 'content-type': 'text/plain; charset=utf-8', 'content-encoding': 'gzip' },
      body,
      signal,
    });
  }

  /** Halves what the store refuses until the lines at fault stand alone: the others are taken. */
  async function sendParts(lines: Buffer, signal: AbortSignal, budget: { left: number }): Promise<Sent> {
    const at = middleOf(lines);
    let lost = 0;
    let reason: string | null = null;
    for (const part of [lines.subarray(0, at), lines.subarray(at)]) {
      if (part.length === 0) continue;
      const sent = await sendLines(part, signal, budget);
      if (sent.kind === 'later') return sent;
      lost += sent.lost;
      reason = sent.reason ?? reason;
    }
    return { kind: 'stored', lost, reason };
  }

  async function sendLines(lines: Buffer, signal: AbortSignal, budget: { left: number }): Promise<Sent> {
    budget.left--;
    const answer = await write(gzipSync(lines, { level: 1 }), signal);
    const judged = judge(answer, what);
    if (judged !== 'faulty') return judged;
    const count = linesIn(lines);
    if (count === 1 || budget.left <= 0)
      return { kind: 'stored', lost: count, reason: influxError(answer).message.slice(0, 300) };
    return await sendParts(lines, signal, budget);
  }

  return {
    async send(body, _, signal) {
      try {
        const answer = await write(body, signal);
        const judged = judge(answer, what);
        if (judged !== 'faulty') return judged;
        const lines = gunzipSync(body);
        if (linesIn(lines) === 1) return { kind: 'stored', lost: 1, reason: influxError(answer).message.slice(0, 300) };
        return await sendParts(lines, signal, { left: MOST_PARTS });
      } catch (error) {
        return { kind: 'later', why: networkWords(error), afterMs: null };
      }
    },
    close: () => http.close(),
  };
}

/** `faulty`: some of its lines are at fault, and none was stored. */
function judge(answer: RemoteText, what: string): Sent | 'faulty' {
  const { status, retryAfterMs } = answer;
  if (status >= 200 && status < 300) return { kind: 'stored', lost: 0, reason: null };
  const { code, message } = influxError(answer);
  if (status === 413) return 'faulty';
  // What only stands before InfluxDB answers 400 too: no point is given up for that.
  if (status === 400 && code === 'invalid') return 'faulty';
  if (status === 422 && code === 'unprocessable entity') {
    const dropped = Number(/dropped=(\d+)/.exec(message)?.[1] ?? 1);
    return { kind: 'stored', lost: dropped, reason: message.slice(0, 300) };
  }
  return { kind: 'later', why: influxWords(answer, what), afterMs: retryAfterMs };
}

/** Where the line begins that is nearest to the middle. */
function middleOf(lines: Buffer): number {
  const half = lines.indexOf(LINE_FEED, lines.length >> 1);
  if (half >= 0 && half < lines.length - 1) return half + 1;
  return lines.lastIndexOf(LINE_FEED, lines.length - 2) + 1;
}

function linesIn(lines: Buffer): number {
  let count = 0;
  for (let at = lines.indexOf(LINE_FEED); at >= 0; at = lines.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}
