import { parseJson } from '../../../lib/json.ts';
import { quoteText } from '../../../lib/logsql/quote.ts';
import type { RemoteHttp } from '../../../lib/remote-http.ts';
import { LINE_ID, lineIdPrefix } from '../line-ids.ts';
import { linesOf } from '../remote/lines.ts';

const TIMEOUT_MS = 10_000;
const ERROR_CHARACTERS = 500;
/** Where the time of a line is in the records of a pipeline. */
const TIME = /"_time":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)"/;

/** Ids of a batch's lines that a store has already. Rejects where it cannot be asked. `lines`: the batch, with its ids. */
export async function idsThere(
  http: RemoteHttp,
  batch: string,
  lines: Buffer<ArrayBuffer>,
  signal: AbortSignal,
): Promise<Set<string>> {
  const args = new URLSearchParams({
    query: `${timeFilter(lines)}${LINE_ID}:${quoteText(lineIdPrefix(batch))}* | fields ${LINE_ID}`,
    timeout: `${TIMEOUT_MS / 1000}s`,
  });
  const { status, body, text } = await http.request({
    method: 'POST',
    path: '/select/logsql/query',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: args.toString(),
    signal,
    idleMs: TIMEOUT_MS,
  });
  if (status !== 200) throw new Error(`${status} ${await text(ERROR_CHARACTERS)}`);
  const ids = new Set<string>();
  // Without an encoding it gives buffers.
  for await (const rows of linesOf(body as AsyncIterable<Buffer>))
    for (const row of rows) ids.add(parseJson<Record<string, string>>(row)[LINE_ID] ?? '');
  return ids;
}

/** The time of the lines: without it all days would be looked through. */
function timeFilter(lines: Buffer<ArrayBuffer>): string {
  let [first, last] = [Infinity, -Infinity];
  for (const line of lines.toString().split('\n')) {
    if (line === '') continue;
    const at = Date.parse(TIME.exec(line)?.[1] ?? '');
    if (Number.isNaN(at)) return '';
    [first, last] = [Math.min(first, at), Math.max(last, at)];
  }
  return first > last ? '' : `_time:>=${nanos(first)} _time:<${nanos(last + 1)} `;
}

const nanos = (ms: number): string => `${new Date(ms).toISOString().slice(0, -1)}000000Z`;
