import { cryptoOnDemand } from '../../lib/crypto-on-demand.ts';

/**
 * The field that tells lines apart which a store without batch IDs keeps: `<batch>-<number in the batch>`. A batch that was
 * sent twice has the same ids twice.
 */
export const LINE_ID = 'yardmaster_line_id';

const DIGITS = 7;
const NEWLINE = 10;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** What all ids of a batch begin with: one word for the store's index. */
export const lineIdPrefix = (batch: string): string =>
  /^[0-9a-zA-Z.-]{1,100}$/.test(batch)
    ? `${batch.replaceAll('-', '')}-`
    : `${cryptoOnDemand().createHash('sha256').update(batch).digest('hex').slice(0, 32)}-`;

/** JSON lines with an id in each that is an object; ids count lines, so that they are the same however often this is done. */
export function withLineIds(ndjson: Buffer<ArrayBuffer>, batch: string): Buffer<ArrayBuffer> {
  const prefix = `{"${LINE_ID}":"${lineIdPrefix(batch)}`;
  const pieces: Uint8Array[] = [];
  let line = 0;
  for (let at = 0; at < ndjson.length; line++) {
    const newline = ndjson.indexOf(NEWLINE, at);
    const end = newline < 0 ? ndjson.length : newline + 1;
    let open = at;
    while (open < end && isSpace(ndjson[open])) open++;
    if (ndjson[open] === OPEN) {
      let next = open + 1;
      while (next < end && isSpace(ndjson[next])) next++;
      const comma = ndjson[next] === CLOSE ? '' : ',';
      pieces.push(Buffer.from(`${prefix}${String(line).padStart(DIGITS, '0')}"${comma}`));
      at = open + 1;
    }
    pieces.push(ndjson.subarray(at, end));
    at = end;
  }
  return Buffer.concat(pieces);
}

/** The lines whose ids are not among these, of a batch that has ids. */
export function withoutIds(ndjson: Buffer<ArrayBuffer>, ids: ReadonlySet<string>): Buffer<ArrayBuffer> {
  const start = `{"${LINE_ID}":"`;
  return Buffer.concat(
    linesIn(ndjson).filter((line) => {
      const head = line.toString('latin1', 0, 256);
      return !head.startsWith(start) || !ids.has(head.slice(start.length, head.indexOf('"', start.length)));
    }),
  );
}

function linesIn(ndjson: Buffer<ArrayBuffer>): Buffer<ArrayBuffer>[] {
  const lines: Buffer<ArrayBuffer>[] = [];
  for (let at = 0; at < ndjson.length;) {
    const newline = ndjson.indexOf(NEWLINE, at);
    const end = newline < 0 ? ndjson.length : newline + 1;
    lines.push(ndjson.subarray(at, end));
    at = end;
  }
  return lines;
}

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d;
