import { isRecord } from '../../../lib/is-record.ts';
import type { ServerResponse } from 'node:http';
import { errorMessage } from '../../../lib/errors.ts';
import { constants, createGzip } from 'node:zlib';
import type { Writable } from 'node:stream';
import type { FluxQuery } from '../flux/run.ts';
import { parseTime } from '../flux/values/time.ts';
import { invalid } from './answer.ts';
import { readBody } from './body.ts';
import { dialectOf } from './dialect.ts';
import { checkOrganization } from './organization.ts';
import type { MetDamage } from '../store/port.ts';
import type { InfluxRequest } from './port.ts';

/** How many parts of the data are missing from an answer as they are damaged. */
const WARNINGS = 'x-yardmaster-warnings';

/** Bytes that may wait to be sent: pages that go out together cost fewer calls of the system. */
const AHEAD = 512 * 1024;

/** `POST /api/v2/query`: a Flux program; the answer is annotated CSV as it is made, no quicker than it is read. */
export async function query(ask: InfluxRequest): Promise<void> {
  const { store, limits, request, response, heldBytes: held } = ask;
  checkOrganization(ask.query, false);
  const { bytes, done } = await readBody(request, limits.fluxQueryBytes, held);
  const args = queryOf(new TextDecoder().decode(bytes), request.headers['content-type'] ?? '');
  done();
  const release = await ask.acquire(ask.signal);
  try {
    const met: MetDamage = { count: 0 };
    await send(ask, store.run({ kind: 'flux', args }, ask.signal, met), met);
  } finally {
    release();
  }
  if (!response.destroyed) response.end();
}

/** The first page decides what the answer is: until then nothing is sent, and a failure has a status of its own. */
async function send(
  { request, response, signal }: InfluxRequest,
  pages: AsyncIterable<Uint8Array>,
  met: MetDamage,
): Promise<void> {
  let out: Writable | null = null;
  const chunked = request.httpVersion === '1.1';
  const warned = (): Record<string, string> => (met.count === 0 ? {} : { [WARNINGS]: String(met.count) });
  for await (const page of pages) {
    if (!out) {
      const gzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
      response.writeHead(200, {
        'content-type': 'text/csv; charset=utf-8',
        vary: 'accept-encoding',
        // What it came across by now; a trailer says what came later.
        ...(chunked ? { trailer: WARNINGS } : {}),
        ...warned(),
        ...(gzip ? { 'content-encoding': 'gzip' } : {}),
      });
      // Each page goes out as it comes: whoever follows does not wait for a block to fill.
      out = gzip ? packed(response) : response;
    }
    if (!out.write(page) && out.writableLength > AHEAD) await drained(out, signal);
    if (signal.aborted) break;
  }
  if (signal.aborted) return void response.destroy();
  if (out && chunked) response.addTrailers(warned());
  if (out && out !== response)
    await new Promise<void>((resolve) => {
      response.once('finish', resolve).once('close', resolve);
      out?.end();
    });
}

/** At the quickest level: the default takes three and a half times as long, for a fifth fewer bytes. */
function packed(response: ServerResponse): Writable {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED, flush: constants.Z_SYNC_FLUSH });
  gzip.on('error', () => response.destroy());
  gzip.pipe(response);
  return gzip;
}

function drained(out: Writable, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      out.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    out.on('drain', done);
    signal.addEventListener('abort', done, { once: true });
  });
}

/** The body: JSON, or the program alone as `application/vnd.flux`. */
function queryOf(body: string, contentType: string): Omit<FluxQuery, 'now'> & { now: bigint | null } {
  if (/^application\/vnd\.flux\b/i.test(contentType))
    return { text: body, dialect: dialectOf(null), now: null, params: null };
  let given: unknown;
  try {
    given = JSON.parse(body);
  } catch (error) {
    throw invalid(`invalid json: ${errorMessage(error)}`);
  }
  if (!isRecord(given)) throw invalid('expected a JSON object with the member query');
  const { query: text, type = 'flux', dialect, now, extern, params = null } = given;
  if (type !== 'flux' && type !== '')
    throw invalid(`unknown query type: ${JSON.stringify(type)?.slice(0, 50)}; expected "flux"`);
  if (typeof text !== 'string' || text.trim() === '') throw invalid('request body requires either query or AST');
  if (extern !== undefined && extern !== null)
    throw invalid('extern is not supported: set options at the head of the query');
  if (params !== null && (typeof params !== 'object' || Array.isArray(params)))
    throw invalid('params: expected an object');
  const at = now === undefined || now === null || now === '' ? null : parseTime(String(now));
  if (now !== undefined && now !== null && now !== '' && at === null)
    throw invalid('now: expected an RFC 3339 time such as 2026-01-31T12:00:00Z');
  return { text, dialect: dialectOf(dialect), now: at, params };
}
