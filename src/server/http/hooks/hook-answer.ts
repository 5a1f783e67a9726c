import { isRecord } from '../../../lib/is-record.ts';
import { Fault } from '../../../lib/fault.ts';
import { parseJson } from '../../../lib/json.ts';
import type { Expressions } from '../../expressions/port.ts';
import type { EventReply } from '../events/event-answer.ts';

/**
 * Headers that a mapping may set. What a browser would run, keep or obey is none of them: this is the console's own host.
 * Nor is what a proxy in front obeys, which would answer with one of its own files or pages instead (`X-Accel-Redirect`, `X-Sendfile`).
 */
const HEADER =
  /^(?:content-type|content-language|cache-control|retry-after|etag|x-(?!yardmaster|frame|content-|served|accel-|sendfile|send-file|lighttpd-|litespeed-|reproxy-|permitted-|webkit-|xss-|dns-|sourcemap|forwarded|real-ip|proxy)[a-z0-9-]{1,60})$/;
const TYPE =
  /^(?:text\/(?:plain|csv|xml)|application\/(?:json|xml|x-www-form-urlencoded|octet-stream|[\w.-]+\+json|[\w.-]+\+xml))\s*(?:;|$)/i;
const VALUE = /^[\t\x20-\x7e]{0,1000}$/;

/** The answer that a mapping makes of an output: `{status?, headers?, body?}`. Throws EXPRESSION_FAILED where it is none. */
export async function mapAnswer(
  expressions: Expressions,
  mapping: string,
  reply: EventReply,
  known: { readonly jobId: string; readonly deliveryId: string | null },
  workflowId: string,
): Promise<EventReply> {
  const output = typeof reply.body === 'string' ? reply.body : Buffer.from(reply.body).toString('utf8');
  const document = `${JSON.stringify(known).slice(0, -1)},"output":${output}}`;
  const text = await expressions.evaluate(mapping, document, workflowId);
  const mapped = text === null ? null : parseJson(text);
  if (!isRecord(mapped)) throw wrong('must return an object with status, headers and body');
  const status = mapped['status'] ?? 200;
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599)
    throw wrong('status must be a whole number from 200 to 599');
  const headers = headersIn(mapped['headers'] ?? {});
  const body = mapped['body'];
  const isText = typeof body === 'string';
  const type =
    headers.get('content-type') ?? (isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8');
  headers.delete('content-type');
  const hasBody = body !== undefined && status !== 204 && status !== 304;
  return {
    status,
    type,
    headers: [...reply.headers, ...[...headers].flat()],
    body: !hasBody ? '' : isText ? body : JSON.stringify(body),
  };
}

function headersIn(given: unknown): Map<string, string> {
  if (!isRecord(given)) throw wrong('headers must be an object');
  return new Map(
    Object.entries(given).map(([key, value]) => {
      const name = key.toLowerCase();
      if (!HEADER.test(name)) throw wrong(`the header ${name.slice(0, 100)} may not be set`);
      const text = String(value);
      if (!VALUE.test(text)) throw wrong(`the value of the header ${name} is not valid`);
      if (name === 'content-type' && !TYPE.test(text))
        throw wrong(`the content type ${text.slice(0, 100)} may not be set`);
      return [name, text];
    }),
  );
}

const wrong = (what: string): Fault => new Fault('EXPRESSION_FAILED', `the mapping of the response: ${what}`);
