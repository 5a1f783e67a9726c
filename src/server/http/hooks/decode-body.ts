import { isUtf8 } from 'node:buffer';
import type { Limits } from '../../../contract/limits.ts';
import { isRecord } from '../../../lib/is-record.ts';
import type { DecodedBody } from '../../offload/port.ts';
import { parseBody } from '../core/body.ts';
import { boundaryOf, parseMultipart } from './multipart.ts';

const JSON_TYPE = /^(?:application|text)\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const MULTIPART_TYPE = /^multipart\/form-data\s*(?:;|$)/i;
const TEXT_TYPE = /^(?:text\/|application\/(?:[\w.+-]+\+)?xml)/i;

/**
 * What the body of a delivery says, by its content type. JSON keeps every number as it came; of forms, fields by name (several
 * of one name are a list) and files with their content in base64. `idMember`: the member of JSON that is asked for, whatever the
 * content type is: that is not signed, and a delivery that is sent again under another one would have no ID.
 * Throws INVALID_JSON, BAD_REQUEST, BODY_TOO_LARGE.
 */
export function decodeBody(
  body: Buffer,
  type: string,
  idMember: string | null,
  limits: Readonly<Pick<Limits, 'jsonDepth' | 'jsonValues' | 'webhookParts'>>,
): DecodedBody {
  if (body.length === 0) return { kind: 'none', text: 'null', id: null };
  if (JSON_TYPE.test(type)) {
    const { plain } = parseBody(body, limits);
    return { kind: 'json', text: body.toString('utf8'), id: memberOf(plain, idMember) };
  }
  const id = idMember === null ? null : idIfJson(body, idMember, limits);
  if (FORM_TYPE.test(type))
    return { kind: 'form', text: JSON.stringify(byName([...new URLSearchParams(body.toString('utf8'))])), id };
  const boundary = MULTIPART_TYPE.test(type) ? boundaryOf(type) : null;
  if (boundary !== null) return { kind: 'multipart', text: JSON.stringify(form(body, boundary, limits)), id };
  if ((TEXT_TYPE.test(type) || type === '') && isUtf8(body))
    return { kind: 'text', text: JSON.stringify(body.toString('utf8')), id };
  return { kind: 'binary', text: JSON.stringify(body.toString('base64')), id };
}

function memberOf(json: unknown, name: string | null): string | null {
  const value = name !== null && isRecord(json) ? json[name] : null;
  return typeof value === 'string' ? value : null;
}

function idIfJson(body: Buffer, name: string, limits: Parameters<typeof parseBody>[1]): string | null {
  try {
    return memberOf(parseBody(body, limits).plain, name);
  } catch {
    return null;
  }
}

function form(body: Buffer, boundary: string, { webhookParts }: Pick<Limits, 'webhookParts'>) {
  const parts = parseMultipart(body, boundary, webhookParts);
  return {
    fields: byName(
      parts.flatMap(({ name, filename, content }) =>
        filename === null ? [[name, content.toString('utf8')] as [string, string]] : [],
      ),
    ),
    files: parts.flatMap(({ name, filename, contentType, content }) =>
      filename === null
        ? []
        : [{ name, filename, contentType, size: content.length, base64: content.toString('base64') }],
    ),
  };
}

/** Values by name; a list where a name comes several times. */
export function byName(pairs: readonly (readonly [string, string])[]): Record<string, string | string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  return Object.fromEntries(
    [...values].map(([name, several]) => [name, several.length === 1 ? (several[0] ?? '') : several]),
  );
}
