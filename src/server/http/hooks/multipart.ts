import { Fault } from '../../../lib/fault.ts';

export interface FormPart {
  readonly name: string;
  /** Null: it is a field. */
  readonly filename: string | null;
  readonly contentType: string | null;
  readonly content: Buffer;
}

const DASHES = '--';
const END_OF_HEAD = Buffer.from('\r\n\r\n');
/** Of the head of one part. */
const MAX_HEAD = 16_384;

/** The boundary that a content type names; null: none. */
export const boundaryOf = (contentType: string): string | null =>
  /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s";,]{1,70}))/i
    .exec(contentType)
    ?.slice(1)
    .find((one) => one !== undefined) ?? null;

/** The parts of a multipart/form-data body (RFC 7578), which was read whole. Throws BAD_REQUEST where it is none, BODY_TOO_LARGE where it has too many. */
export function parseMultipart(body: Buffer, boundary: string, most: number): FormPart[] {
  const delimiter = Buffer.from(`\r\n${DASHES}${boundary}`, 'latin1');
  // The first one may stand at the very beginning, without the line end that is before all others.
  const first = delimiter.subarray(2);
  const begin = body.indexOf(first);
  if (begin < 0 || (begin > 0 && body.indexOf(delimiter) !== begin - 2))
    throw malformed('its first boundary is missing');
  const parts: FormPart[] = [];
  let at = begin + first.length;
  for (;;) {
    if (body.toString('latin1', at, at + 2) === DASHES) return parts;
    // White space may stand behind a boundary.
    const lineEnd = body.indexOf('\r\n', at);
    if (lineEnd < 0 || body.toString('latin1', at, lineEnd).trim() !== '') throw malformed('a boundary is malformed');
    const end = body.indexOf(delimiter, lineEnd);
    if (end < 0) throw malformed('its last boundary is missing');
    if (parts.length >= most)
      throw new Fault('BODY_TOO_LARGE', `the form has more than ${most} parts; the limit is webhookParts`);
    parts.push(parsePart(body.subarray(lineEnd + 2, Math.max(end, lineEnd + 2))));
    at = end + delimiter.length;
  }
}

function parsePart(part: Buffer): FormPart {
  // A part without headers begins with the empty line.
  const headEnd = part.subarray(0, 2).equals(END_OF_HEAD.subarray(2)) ? -2 : part.indexOf(END_OF_HEAD);
  if (headEnd === -1 || headEnd > MAX_HEAD) throw malformed('the head of a part does not end');
  const head = part.toString('utf8', 0, Math.max(0, headEnd));
  const disposition = /^content-disposition:\s*form-data(.*)$/im.exec(head)?.[1] ?? '';
  const name = parameter(disposition, 'name');
  if (name === null) throw malformed('a part has no name');
  return {
    name,
    filename: parameter(disposition, 'filename'),
    contentType: /^content-type:\s*([^\r\n]{1,200})/im.exec(head)?.[1]?.trim() ?? null,
    content: part.subarray(headEnd + END_OF_HEAD.length),
  };
}

function parameter(disposition: string, name: string): string | null {
  const found = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;]+))`, 'i').exec(disposition);
  if (found === null) return null;
  return (found[1] ?? found[2] ?? '').replaceAll(/\\(["\\])/g, '$1').replaceAll('%22', '"');
}

const malformed = (why: string): Fault => new Fault('BAD_REQUEST', `the body is not valid multipart/form-data: ${why}`);
