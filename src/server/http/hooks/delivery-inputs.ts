import { iso } from '../../../lib/clock.ts';
import { Fault } from '../../../lib/fault.ts';
import { toTransferable } from '../../../lib/packed-inputs.ts';
import type { DecodedBody } from '../../offload/port.ts';
import { keptHeaders } from '../../webhooks/kept-headers.ts';
import type { ActiveWebhook, HookRequest } from '../../webhooks/port.ts';
import { headerOf } from '../../webhooks/request.ts';
import type { Runnable } from '../../workflows/port.ts';
import { isLargeBody, readEventInThread } from '../core/large-body.ts';
import { parseBody } from '../core/body.ts';
import type { Services } from '../core/services.ts';
import { checkInputs } from '../events/event-admission.ts';
import { byName, decodeBody } from './decode-body.ts';

/** What makes inputs of a delivery, of a webhook that is kept or of one that somebody writes. */
type Transforming = Pick<ActiveWebhook, 'workflowId' | 'filter' | 'mapping' | 'verification'>;

/** Members of bodies in which these services name their deliveries. */
const ID_MEMBERS: Readonly<Record<string, string>> = { stripe: 'id', slack: 'event_id' };

export const idMemberOf = ({ verification }: Pick<ActiveWebhook, 'verification'>): string | null =>
  verification?.type === 'hmac' ? (ID_MEMBERS[verification.preset] ?? null) : null;

/** What JSONata takes for false. */
const FALSY: ReadonlySet<string> = new Set(['false', 'null', '0', '""', '[]', '{}']);

/** Of long bodies the thread takes a copy: the delivery itself keeps its bytes. */
export function decode(
  { offload, limits }: Services,
  webhook: Pick<ActiveWebhook, 'verification'>,
  { headers, body }: HookRequest,
): DecodedBody | Promise<DecodedBody> {
  const type = headerOf(headers, 'content-type') ?? '';
  const idMember = idMemberOf(webhook);
  if (!isLargeBody(body, limits)) return decodeBody(body, type, idMember, limits);
  const bytes = toTransferable(Buffer.from(body));
  return offload.call('hookBody', { body: bytes, type, idMember }, [bytes]);
}

/** JSON text of what filter and mapping are evaluated on. */
export function documentOf(
  { clock }: Pick<Services, 'clock'>,
  { verification }: Transforming,
  request: HookRequest,
  body: DecodedBody,
  deliveryId: string | null,
): string {
  const { body: _, ...known } = {
    method: request.method,
    query: queryOf(request),
    headers: keptHeaders(request.headers, verification),
    contentType: headerOf(request.headers, 'content-type'),
    deliveryId,
    receivedAt: iso(clock.now()),
    isBase64: body.kind === 'binary',
    body: null,
  };
  // The text of the body was parsed before: it is JSON, and one value.
  return `${JSON.stringify(known).slice(0, -1)},"body":${body.text}}`;
}

const queryOf = ({ query }: HookRequest) => byName([...new URLSearchParams(query)]);

/** True too where there is no filter. `document`: made only where it is needed. */
export async function passesFilter(
  { expressions }: Pick<Services, 'expressions'>,
  { workflowId, filter }: Transforming,
  document: () => string,
): Promise<boolean> {
  if (filter === null) return true;
  const value = await expressions.evaluate(filter, document(), workflowId);
  return value !== null && !FALSY.has(value);
}

/** JSON text of the inputs. */
export async function mappedInputs(
  { expressions }: Pick<Services, 'expressions'>,
  { workflowId, mapping }: Transforming,
  request: HookRequest,
  body: DecodedBody,
  document: () => string,
): Promise<string> {
  if (mapping === null) return plainInput(body, queryOf(request));
  const mapped = await expressions.evaluate(mapping, document(), workflowId);
  if (mapped === null) throw new Fault('EXPRESSION_FAILED', 'the mapping has no value for this delivery');
  return mapped;
}

/** JSON text of the inputs (one, or a list of them); null: the filter let it not through. */
export async function inputsOf(
  services: Services,
  webhook: Transforming,
  request: HookRequest,
  body: DecodedBody,
  deliveryId: string | null,
): Promise<string | null> {
  let made: string | null = null;
  const document = () => (made ??= documentOf(services, webhook, request, body, deliveryId));
  if (!(await passesFilter(services, webhook, document))) return null;
  return mappedInputs(services, webhook, request, body, document);
}

/** What the input is where nothing maps it: what the body says where that has members, else one member with it. */
function plainInput(body: DecodedBody, query: Record<string, string | string[]>): string {
  switch (body.kind) {
    case 'none':
      return JSON.stringify(query);
    case 'json':
      return /^\s*[{[]/.test(body.text) ? body.text : `{"body":${body.text}}`;
    case 'form':
    case 'multipart':
      return body.text;
    case 'text':
      return `{"body":${body.text}}`;
    case 'binary':
      return `{"base64":${body.text}}`;
  }
}

/** Throws INPUT_INVALID. */
export async function checkedInputs(services: Services, runnable: Runnable, text: string) {
  const { limits, offload } = services;
  const list = Buffer.from(/^\s*\[/.test(text) ? text : `[${text}]`);
  if (isLargeBody(list, limits) || runnable.largeSchema === true)
    return (await readEventInThread(offload, list, runnable)).inputs;
  const { value, plain } = parseBody(list, limits);
  return checkInputs(value, plain, runnable, limits);
}
