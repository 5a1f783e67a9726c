import { Fault } from '../../../lib/fault.ts';
import { networkWords } from '../../../lib/remote-text.ts';
import { createRemoteHttp, type RemoteTarget } from '../../../lib/remote-http.ts';
import type { Redactor } from '../../../lib/redact.ts';
import { uuidv7 } from '../../../lib/uuid.ts';
import { BATCH_ID_HEADER, SKIPPED_HEADER } from '../batch-headers.ts';
import { withLineIds } from '../line-ids.ts';
import { partsOf } from '../pipeline/json-members.ts';
import type { LogAck, LogBatch } from '../store/port.ts';

const CONNECTIONS = 4;
const IDLE_MS = 30_000;
const ERROR_CHARACTERS = 4096;

/** Sends lines on that came over the log store's port of the master. Who sent them is told what became of them, and sends again. */
export interface RemoteInsert {
  insert(batch: LogBatch, redactor: Redactor): Promise<LogAck>;
  close(): void;
}

export function createRemoteInsert(target: RemoteTarget, lineBytes: number): RemoteInsert {
  const http = createRemoteHttp(target, CONNECTIONS);
  return {
    async insert({ id: given, ndjson, options }, redactor) {
      const id = given ?? uuidv7();
      const claimed = options.claimedFields ?? [];
      const { lines, skipped } = cleanLines(ndjson, redactor, new Set(claimed), lineBytes);
      const all = { stored: lines.length, skipped, duplicate: false };
      if (lines.length === 0) return all;
      const body = withLineIds(Buffer.from(`${lines.join('\n')}\n`), id);
      const args = new URLSearchParams();
      const list = (name: string, values: readonly string[] | undefined) =>
        values && values.length > 0 && args.set(name, values.join(','));
      list('_time_field', options.timeFields);
      list('_msg_field', options.messageFields);
      list(
        '_stream_fields',
        options.streamFields.filter((name) => !claimed.includes(name)),
      );
      list('ignore_fields', options.ignoreFields);
      list('decolorize_fields', options.plainFields);
      list('preserve_json_keys', options.jsonFields);
      list(
        'extra_fields',
        Object.entries(options.extraFields).map(
          ([name, value]) => `${claimed.includes(name) ? `claimed_${name}` : name}=${value}`,
        ),
      );
      const response = await http
        .request({
          method: 'POST',
          path: `/insert/jsonline?${args}`,
          headers: { 'content-type': 'application/stream+json', [BATCH_ID_HEADER]: id },
          body,
          idleMs: IDLE_MS,
        })
        .catch((error: unknown) => {
          throw new Fault(
            'LOGS_UNAVAILABLE',
            `VictoriaLogs cannot be reached: ${networkWords(error)}; send the lines again`,
          );
        });
      const text = await response.text(ERROR_CHARACTERS).catch(() => '');
      if (response.status >= 200 && response.status < 300) {
        const more = Number(response.headers[SKIPPED_HEADER] ?? 0) || 0;
        return { ...all, stored: all.stored - more, skipped: all.skipped + more };
      }
      throw new Fault(
        response.status === 429 ? 'OVERLOADED' : 'LOGS_UNAVAILABLE',
        `VictoriaLogs did not take the lines (${response.status}: ${text.trim().slice(0, 500)}): send them again`,
      );
    },
    close: () => http.close(),
  };
}

/** Lines that are JSON objects, without secrets, and with what their sender may claim only under other names. */
function cleanLines(
  ndjson: Uint8Array,
  redactor: Redactor,
  claimed: ReadonlySet<string>,
  lineBytes: number,
): { lines: string[]; skipped: number } {
  const lines: string[] = [];
  let skipped = 0;
  for (const line of Buffer.from(ndjson.buffer, ndjson.byteOffset, ndjson.byteLength).toString().split('\n')) {
    const text = line.trim();
    if (text === '') continue;
    // VictoriaLogs would drop a longer one without a word.
    const isObject = text.startsWith('{') && Buffer.byteLength(text) <= lineBytes && isJson(text);
    if (isObject) lines.push(redactor.json(claimed.size === 0 ? text : renamed(text, claimed)));
    else skipped++;
  }
  return { lines, skipped };
}

function renamed(text: string, claimed: ReadonlySet<string>): string {
  const parts = partsOf(text);
  if (parts === null || parts.keys === null || !parts.keys.some((key) => claimed.has(key))) return text;
  const members = parts.keys.map(
    (key, i) => `${JSON.stringify(claimed.has(key) ? `claimed_${key}` : key)}:${parts.values[i] ?? 'null'}`,
  );
  return `{${members.join(',')}}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
