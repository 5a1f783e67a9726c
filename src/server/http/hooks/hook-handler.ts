import type { IncomingMessage, ServerResponse } from 'node:http';
import { WEBHOOK_PREFIX } from '../../../contract/webhooks.ts';
import { groupOf } from '../../../lib/address-group.ts';
import { Fault } from '../../../lib/fault.ts';
import { isRecord } from '../../../lib/is-record.ts';
import { uuidv7 } from '../../../lib/uuid.ts';
import type { ActiveWebhook, HookRequest } from '../../webhooks/port.ts';
import { readBody } from '../core/body.ts';
import { clientAddress } from '../core/forwarded.ts';
import { refuseHost } from '../core/origin.ts';
import { isReported, toProblem } from '../core/problem.ts';
import type { App } from '../core/route.ts';
import { EVENT_HEADERS, SERVED_BY } from '../core/security-headers.ts';
import { createStrangers, STRANGERS_BYTES } from '../core/strangers.ts';
import {
  createEventAnswers,
  mayUseSecrets,
  problemReply,
  type Caller,
  type EventReply,
} from '../events/event-answer.ts';
import { send } from '../events/events.ts';
import type { EventLimits } from '../events/event-limits.ts';
import { createRateLimiter, type BucketRate } from '../events/rate-limiter.ts';
import { deliver, DeliveryError, type Delivered } from './deliver.ts';

export interface HookHandler {
  /** Answers the request where it goes to a webhook; false: it does not. */
  request(request: IncomingMessage, response: ServerResponse): boolean;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const PATH = /^\/hooks\/([A-Za-z0-9_-]{1,200})(?:\?|$)/;
/** Bodies in which Slack asks whether the address is right. */
const CHALLENGE_BYTES = 4096;
/** Refused deliveries of one kind of one webhook are noted so often at most: anybody can send them. */
const NOTE_MS = 1000;

/**
 * Deliveries to webhooks, straight from Node's server, as event calls. Whoever sends them is a stranger until the delivery is
 * verified: an unknown path and a wrong signature do the same work, and neither says more than that.
 */
export function createHookHandler(
  app: Pick<App, 'services' | 'shown'>,
  load: EventLimits,
  report: (error: unknown, requestId: string) => void,
): HookHandler {
  const { services } = app;
  const shown = app.shown('events.send');
  const { webhooks, limits, clock, proxies, expressions } = services;
  const strangers = createStrangers(() => Math.max(STRANGERS_BYTES, 2 * limits.webhookBodyBytes), groupOf);
  const rates = createRateLimiter(clock);
  const answers = createEventAnswers(services, shown);
  const notedAt = new Map<string, number>();
  const fixed = Object.entries({
    ...EVENT_HEADERS,
    // What a workflow answers is shown in no page of this host.
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'same-origin',
    [SERVED_BY]: services.cluster.id,
  }).flat();

  const refusalsFrom = (address: string | null): BucketRate => ({
    bucket: `from ${groupOf(address)}`,
    perSecond: limits.webhookRefusalsPerSecond,
  });
  const tooMany = (seconds: number, why: string): Fault =>
    new Fault('RATE_LIMITED', `${why}: retry in ${seconds} s`, { extra: { retryAfterSeconds: seconds } });

  function admit(request: IncomingMessage, address: string | null): void {
    const refused = refuseHost(request, services);
    if (refused) throw refused;
    if (limits.webhookRefusalsPerSecond === 0) return;
    const wait = rates.look(refusalsFrom(address));
    if (wait) throw tooMany(wait.seconds, 'too many refused deliveries came from this address');
  }

  function refuse(address: string | null): void {
    if (limits.webhookRefusalsPerSecond > 0) rates.take([refusalsFrom(address)]);
  }

  function limitRate(webhook: ActiveWebhook): void {
    const perSecond = webhook.perSecond ?? limits.webhooksPerSecond;
    const wait = perSecond > 0 ? rates.take([{ bucket: `webhook ${webhook.id}`, perSecond }]) : null;
    if (wait) throw tooMany(wait.seconds, `the webhook has reached its rate limit of ${perSecond} per second`);
  }

  /** Beside the answer, which waits for no note. */
  function note(webhook: ActiveWebhook, request: HookRequest, fault: unknown, reason: string, id: string | null): void {
    const problem = toProblem(fault, '');
    const refused = problem.code === 'SIGNATURE_INVALID' || problem.code === 'REPLAYED';
    if (refused) {
      const kind = `${webhook.id} ${problem.code}`;
      const last = notedAt.get(kind) ?? -Infinity;
      const now = clock.now();
      // The clock may have been set back meanwhile.
      if (now >= last && now - last < NOTE_MS) return;
      notedAt.set(kind, now);
    }
    webhooks.deliveries
      .note(webhook, request, {
        verdict: problem.code === 'SIGNATURE_INVALID' || problem.code === 'REPLAYED' ? problem.code : 'FAILED',
        status: problem.status,
        code: problem.code,
        reason,
        deliveryId: id,
        jobId: typeof problem['jobId'] === 'string' ? problem['jobId'] : null,
        replayOf: null,
      })
      // A store that takes no writes has told so already.
      .catch(() => undefined);
  }

  async function take(path: string, request: HookRequest, caller: Caller, requestId: string): Promise<EventReply> {
    const webhook = webhooks.at(path);
    const { refusal, signature } = webhooks.verify(webhook, request);
    if (webhook === null) {
      refuse(request.address);
      throw new Fault('WEBHOOK_NOT_FOUND', 'there is no webhook at this address');
    }
    if (webhook.verification === null)
      throw new Fault('SECRETS_LOCKED', 'the secret of this webhook cannot be decrypted; tell the operators');
    if (refusal !== null) {
      refuse(request.address);
      webhooks.counts.add(webhook, 'SIGNATURE_INVALID');
      const fault = new Fault(
        'SIGNATURE_INVALID',
        'the delivery could not be verified: check signature, key or password',
      );
      note(webhook, request, fault, refusal, null);
      throw fault;
    }
    limitRate(webhook);
    const challenge = challengeOf(webhook, request);
    if (challenge !== null) return json(200, { challenge });
    const leave = load.enter(request.body.length);
    try {
      const delivery = { webhook, request, deliveryId: null, signature, replayOf: null };
      const delivered = await deliver(services, load, delivery);
      webhooks.counts.add(webhook, delivered.kind === 'filtered' ? 'FILTERED' : 'ACCEPTED');
      return await answer(webhook, delivered, caller, requestId);
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      const { fault, deliveryId } = error;
      webhooks.counts.add(webhook, fault instanceof Fault && fault.code === 'REPLAYED' ? 'REPLAYED' : 'FAILED');
      if (fault instanceof Fault) note(webhook, request, fault, reasonOf(fault), deliveryId);
      throw fault;
    } finally {
      leave();
    }
  }

  async function answer(
    webhook: ActiveWebhook,
    delivered: Delivered,
    caller: Caller,
    requestId: string,
  ): Promise<EventReply> {
    if (delivered.kind === 'filtered') return json(200, { jobId: null, status: 'FILTERED' });
    const { jobId, status, runnable, deliveryId } = delivered;
    const isPatient = webhook.response === 'output';
    if (!isPatient) return json(202, { jobId, status }, ['x-job-id', jobId]);
    const call = {
      caller,
      requestId,
      workflowId: webhook.workflowId,
      environment: webhook.environment,
      commit: runnable.commit,
      seconds: limits.eventWaitSeconds,
      patient: false,
      applied: null,
      usesSecrets: mayUseSecrets(runnable),
    };
    const reply = await answers.first(call, jobId, status, null);
    if (reply.status === 202) return json(202, { jobId, status }, ['x-job-id', jobId]);
    // Why it failed is nothing that the sender of a delivery needs to know.
    if (reply.status !== 200)
      return problemReply(new Fault('WORKFLOW_FAILED', 'the workflow failed', { extra: { jobId } }), requestId);
    return webhook.responseMapping === null
      ? { ...reply, headers: ['x-job-id', jobId] }
      : mapped(webhook, webhook.responseMapping, { ...reply, headers: ['x-job-id', jobId] }, { jobId, deliveryId });
  }

  async function mapped(
    { workflowId }: ActiveWebhook,
    mapping: string,
    reply: EventReply,
    known: { jobId: string; deliveryId: string | null },
  ) {
    const { mapAnswer } = await import('./hook-answer.ts');
    return mapAnswer(expressions, mapping, reply, known, workflowId);
  }

  return {
    request(incoming, response) {
      const { url = '', method = 'GET', headers } = incoming;
      if (!url.startsWith(WEBHOOK_PREFIX)) return false;
      const requestId = uuidv7();
      const reply = (known: EventReply, close = false) => send(response, requestId, fixed, known, close);
      const fail = (error: unknown, close = false) => {
        if (isReported(toProblem(error, requestId))) report(error, requestId);
        reply(problemReply(error, requestId), close);
      };
      const address = clientAddress(incoming, proxies);
      try {
        admit(incoming, address);
      } catch (error) {
        fail(error);
        return true;
      }
      readBody(
        incoming,
        headers,
        limits.webhookBodyBytes,
        (fault, body, unread) => {
          if (fault) return fail(fault, unread);
          const caller: Caller = { gone: null };
          response.once('close', () => caller.gone?.());
          const question = url.indexOf('?');
          const request = { method, query: question < 0 ? '' : url.slice(question), headers, body, address };
          take(PATH.exec(url)?.[1] ?? '', request, caller, requestId).then(reply, fail);
        },
        (cut) => strangers.enter(address, cut),
      );
      return true;
    },
  };
}

/** Slack asks at the address itself whether it is the right one, and wants to hear its own word. */
function challengeOf({ verification }: ActiveWebhook, { body }: HookRequest): string | null {
  if (verification?.type !== 'hmac' || verification.preset !== 'slack' || body.length > CHALLENGE_BYTES) return null;
  try {
    const asked: unknown = JSON.parse(body.toString('utf8'));
    const isChallenge = isRecord(asked) && asked['type'] === 'url_verification';
    return isChallenge && typeof asked['challenge'] === 'string' ? asked['challenge'] : null;
  } catch {
    return null;
  }
}

/** For people of this master: with the first thing that is wrong, where a list says it and the message does not. */
export const reasonOf = (fault: Fault): string => {
  const [first] = fault.errors ?? [];
  return first && !fault.message.endsWith(`${first.pointer} ${first.message}`)
    ? `${fault.message} (${first.pointer} ${first.message})`
    : fault.message;
};

const json = (status: number, body: unknown, headers: readonly string[] = []): EventReply => ({
  status,
  type: JSON_TYPE,
  headers,
  body: JSON.stringify(body),
});
