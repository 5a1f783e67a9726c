import { isRecord } from '../../lib/is-record.ts';

/** More of an answer than this is none that a master gives. */
const MAX_BYTES = 1024 * 1024;

/** The JSON of an answer; undefined where it is none, or too long to be one: whoever answers may be anybody. */
export async function readJsonBody(answer: Response): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of answer.body ?? []) {
    size += piece.byteLength;
    if (size > MAX_BYTES) return undefined;
    pieces.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The text of a member, `most` characters of it; null where there is none. */
export function textMember(value: unknown, member: string, most = 100): string | null {
  const text = isRecord(value) ? value[member] : null;
  return typeof text === 'string' ? text.slice(0, most) : null;
}

/** Electron's words for a redirect that is not followed. */
export const isRedirect = (error: unknown): boolean =>
  error instanceof Error && /redirect was cancel/i.test(error.message);
