import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import { retryAfterSeconds } from '../../../lib/retry-after.ts';
import { BATCH_ID_HEADER, SKIPPED_HEADER } from '../batch-headers.ts';
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
  deliver(id: string, ndjson: Buffer, signal: AbortSignal): Promise<Delivered>;
  close(): void;
}

/** Fields that make a stream: few values each, and what lines are looked for together. */
const ARGS = '_time_field=_time&_msg_field=_msg&_stream_fields=source,worker_id';
const ANSWER_BYTES = 4096;
const TIMEOUT_MS = 30_000;
/** Statuses that speak of the way to the store or of its state, never of the batch: it would be wrong to give lines up for them. */
const LATER = new Set([401, 403, 404, 405, 407, 408, 421, 425, 429]);

const zip = promisify(gzip);

/** Posts batches to `/insert/jsonline` of a log store. */
export function createDeliverer(target: PipelineTarget): Deliverer {
  const url = new URL(`${target.url.replace(/\/+$/, '')}/insert/jsonline?${ARGS}`);
  const secure = url.protocol === 'https:';
  const agent = secure
    ? new HttpsAgent({ keepAlive: true, maxSockets: 2 })
    : new HttpAgent({ keepAlive: true, maxSockets: 2 });

  return {
    async deliver(id, ndjson, signal) {
      const body = target.gzip ? await zip(ndjson, { level: 1 }) : ndjson;
      return new Promise((resolve) => {
        const headers: Record<string, string | number> = {
          'content-type': 'application/stream+json',
          'content-length': body.length,
          [BATCH_ID_HEADER]: id,
        };
        if (target.gzip) headers['content-encoding'] = 'gzip';
        if (target.token !== null) headers['authorization'] = `Bearer ${target.token}`;
        const failed = (why: string) => resolve({ kind: 'later', why, afterMs: null });
        const request = (secure ? httpsRequest : httpRequest)(
          url,
          { method: 'POST', agent, headers, signal, timeout: TIMEOUT_MS },
          (response) => {
            readAnswer(response).then(
              (text) => resolve(judge(response, text)),
              (error: Error) => failed(error.message),
            );
          },
        );
        request.on('timeout', () => request.destroy(new Error(`no response within ${TIMEOUT_MS / 1000} s`)));
        request.on('error', (error) => failed(error.message));
        request.end(body);
      });
    },
    close: () => agent.destroy(),
  };
}

function judge(response: IncomingMessage, text: string): Delivered {
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300)
    return { kind: 'stored', skipped: Number(response.headers[SKIPPED_HEADER] ?? 0) || 0 };
  const reason = text.trim() || `status ${status}`;
  // VictoriaLogs answers 400 at an address that it does not serve: that is the address's fault.
  if (status < 400 || status >= 500 || LATER.has(status) || reason.includes('unsupported path')) {
    const after = retryAfterSeconds(response.headers['retry-after'], Date.now()) ?? 0;
    return {
      kind: 'later',
      why: `${status} ${reason}`,
      afterMs: after > 0 ? Math.min(after, MAX_AFTER_SECONDS) * 1000 : null,
    };
  }
  return { kind: 'refused', status, reason };
}

async function readAnswer(response: IncomingMessage): Promise<string> {
  let text = '';
  // With an encoding it gives texts.
  for await (const chunk of response.setEncoding('utf8')) if (text.length < ANSWER_BYTES) text += chunk as string;
  return text.slice(0, ANSWER_BYTES);
}
