import { gzip } from 'node:zlib';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { errorCode } from '../../../lib/errors.ts';
import { networkWords } from '../../../lib/remote-text.ts';
import { createRemoteHttp, type RemoteHttp, type RemoteResponse } from '../../../lib/remote-http.ts';
import { retryAfterSeconds } from '../../../lib/retry-after.ts';
import { BATCH_ID_HEADER, KEEPS_BATCH_IDS_HEADER, SKIPPED_HEADER } from '../batch-headers.ts';
import { withLineIds, withoutIds } from '../line-ids.ts';
import { idsThere } from './ids-there.ts';
import type { PipelineTarget } from './port.ts';

/** The most that a store may ask for. */
const MAX_AFTER_SECONDS = 3600;

/** How the store took a batch. */
export type Delivered =
  | { kind: 'stored'; skipped: number }
  /** Try again later; `afterMs` where the store said when. */
  | { kind: 'later'; why: string; afterMs: number | null }
  /** The batch itself is at fault. */
  | { kind: 'refused'; status: number; reason: string };

export interface Deliverer {
  deliver(id: string, ndjson: Buffer<ArrayBuffer>, signal: AbortSignal): Promise<Delivered>;
  close(): void;
}

/** Fields that make a stream: few values each, and what lines are looked for together. */
const ARGS = '_time_field=_time&_msg_field=_msg&_stream_fields=source,worker_id';
const ANSWER_BYTES = 4096;
const TIMEOUT_MS = 30_000;
const CONNECTIONS = 2;
/** Statuses that speak of the way to the store or of its state, never of the batch: it would be wrong to give lines up for them. */
const LATER = new Set([401, 403, 404, 405, 407, 408, 421, 425, 429]);
/** What was stored of a batch is seen in VictoriaLogs after about a second. */
const VISIBLE_MS = 2000;
/** A store that answers a small question later than that was stalled. */
const STALLED_MS = 1000;
/** No connection was made, so nothing was sent. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

const zip = promisify(gzip);

/** Posts batches to `/insert/jsonline` of a log store. */
export function createDeliverer(target: PipelineTarget): Deliverer {
  const http = createRemoteHttp(target, CONNECTIONS);
  const select = target.select === null ? http : createRemoteHttp(target.select, CONNECTIONS);
  let hasLineIds = target.lineIds === 'ask' ? null : target.lineIds;
  /** A batch that may have been stored, whole or in part: the one whose answer did not come, or which an earlier process had under way. */
  let uncertain: string | 'first' | null = 'first';

  async function post(id: string, lines: Buffer<ArrayBuffer>, signal: AbortSignal): Promise<Delivered> {
    const body = target.gzip ? await zip(lines, { level: 1 }) : lines;
    const headers: Record<string, string> = { 'content-type': 'application/stream+json', [BATCH_ID_HEADER]: id };
    if (target.gzip) headers['content-encoding'] = 'gzip';
    try {
      const response = await http.request({
        method: 'POST',
        path: `/insert/jsonline?${ARGS}`,
        headers,
        body,
        signal,
        idleMs: TIMEOUT_MS,
      });
      const outcome = judge(response, await response.text(ANSWER_BYTES));
      uncertain = outcome.kind === 'later' && response.status >= 500 ? id : null;
      return outcome;
    } catch (error) {
      uncertain = UNSENT.has(errorCode(error) ?? '') ? null : id;
      return { kind: 'later', why: networkWords(error), afterMs: null };
    }
  }

  async function storedOf(id: string, lines: Buffer<ArrayBuffer>, signal: AbortSignal): Promise<Set<string>> {
    const began = performance.now();
    const there = await idsThere(select, id, lines, signal);
    if (performance.now() - began < STALLED_MS) return there;
    // It was stalled, and may take in only now what it was sent before.
    await delay(VISIBLE_MS, null, { signal });
    return idsThere(select, id, lines, signal);
  }

  return {
    async deliver(id, ndjson, signal) {
      if (hasLineIds === null) {
        const asked = await keepsBatchIds(http, signal);
        if (typeof asked === 'string') return { kind: 'later', why: asked, afterMs: null };
        hasLineIds = !asked;
      }
      if (!hasLineIds) return post(id, ndjson, signal);
      let lines = withLineIds(ndjson, id);
      if (uncertain === id || uncertain === 'first') {
        // Where it cannot be asked all is sent again: what is there twice is shown once.
        const there = await storedOf(id, lines, signal).catch(() => new Set<string>());
        if (there.size > 0) lines = withoutIds(lines, there);
        if (lines.length === 0) {
          uncertain = null;
          return { kind: 'stored', skipped: 0 };
        }
      }
      const outcome = await post(id, lines, signal);
      return outcome.kind === 'later' && uncertain === id
        ? { ...outcome, afterMs: Math.max(VISIBLE_MS, outcome.afterMs ?? 0) }
        : outcome;
    },
    close() {
      http.close();
      select.close();
    },
  };
}

/** Whether the store keeps each batch ID once, so that lines need no ids; a text: it could not be asked. */
async function keepsBatchIds(http: RemoteHttp, signal: AbortSignal): Promise<boolean | string> {
  try {
    const response = await http.request({ method: 'GET', path: '/health', signal, idleMs: TIMEOUT_MS });
    response.body.resume();
    return response.headers[KEEPS_BATCH_IDS_HEADER] !== undefined;
  } catch (error) {
    return networkWords(error);
  }
}

function judge({ status, headers }: RemoteResponse, text: string): Delivered {
  if (status >= 200 && status < 300) return { kind: 'stored', skipped: Number(headers[SKIPPED_HEADER] ?? 0) || 0 };
  const reason = text.trim() || `status ${status}`;
  // VictoriaLogs and its proxy answer 400 at an address that they do not serve: that is the address's fault.
  if (status < 400 || status >= 500 || LATER.has(status) || /unsupported path|missing route/.test(reason)) {
    const after = retryAfterSeconds(headers['retry-after'], Date.now()) ?? 0;
    return {
      kind: 'later',
      why: `${status} ${reason}`,
      afterMs: after > 0 ? Math.min(after, MAX_AFTER_SECONDS) * 1000 : null,
    };
  }
  return { kind: 'refused', status, reason };
}
