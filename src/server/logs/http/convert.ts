import { Refusal } from './answer.ts';
import { errorMessage } from '../../../lib/errors.ts';

/** Bodies of other protocols, as JSON lines. Pure functions of bytes: large bodies are converted in a thread. */

export interface Converted {
  readonly ndjson: Buffer<ArrayBuffer>;
  /** Fields that make the stream, where the protocol says so; null: as the arguments say. */
  readonly streamFields: readonly string[] | null;
}

export interface BulkConverted extends Converted {
  /** What each item was: `c` create, `i` index. */
  readonly actions: string;
}

const NEWLINE = 10;

/** Elasticsearch's `_bulk`: a line that says what to do, then the document. Throws a 400 `Refusal` at a bad action. */
export function bulkLines(body: Buffer): BulkConverted {
  const documents: Buffer[] = [];
  let actions = '';
  let line = 0;
  let action: string | null = null;
  for (let from = 0; from < body.length;) {
    const found = body.indexOf(NEWLINE, from);
    const end = found < 0 ? body.length : found;
    const piece = body.subarray(from, end);
    from = end + 1;
    line++;
    if (action === null) {
      if (isBlank(piece)) continue;
      action = actionOf(piece, line);
    } else {
      if (isBlank(piece))
        throw new Refusal(400, `cannot read the document of the action in line ${line - 1}: line ${line} is empty`);
      actions += action;
      documents.push(piece, LINE_END);
      action = null;
    }
  }
  if (action !== null)
    throw new Refusal(400, `missing log message after the "create" or "index" command in line ${line}`);
  return { ndjson: Buffer.concat(documents), streamFields: null, actions };
}

const LINE_END = Buffer.from('\n');
const isBlank = (piece: Buffer): boolean =>
  piece.length === 0 || (piece.length < 64 && piece.toString('latin1').trim() === '');

function actionOf(piece: Buffer, line: number): 'c' | 'i' {
  // The two forms that shippers send, without parsing.
  const text = piece.toString().trim();
  if (text === '{"create":{}}') return 'c';
  if (text === '{"index":{}}') return 'i';
  let action: unknown;
  try {
    action = JSON.parse(text);
  } catch (error) {
    throw new Refusal(400, `cannot parse JSON command in line ${line}: ${errorMessage(error)}`);
  }
  if (typeof action === 'object' && action !== null) {
    if (Object.hasOwn(action, 'create')) return 'c';
    if (Object.hasOwn(action, 'index')) return 'i';
  }
  throw new Refusal(400, `unexpected command in line ${line}: expected "create" or "index", got ${text.slice(0, 100)}`);
}

/** Number of the first document that is no JSON object, from 0; -1: all are. */
export function badDocument(ndjson: Buffer): number {
  const lines = ndjson.toString().split('\n');
  return lines.findIndex((line) => {
    if (line.trim() === '') return false;
    try {
      const value: unknown = JSON.parse(line);
      return typeof value !== 'object' || value === null || Array.isArray(value);
    } catch {
      return true;
    }
  });
}
