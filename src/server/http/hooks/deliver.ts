import type { JobStatus } from '../../../contract/vocabulary.ts';
import { Fault } from '../../../lib/fault.ts';
import { parseTraceparent } from '../../../lib/trace-context.ts';
import type { OnceWrites } from '../../jobs/port.ts';
import { claimOf } from '../../webhooks/claims.ts';
import type { ActiveWebhook, HookRequest } from '../../webhooks/port.ts';
import { headerOf } from '../../webhooks/request.ts';
import type { Runnable } from '../../workflows/port.ts';
import type { Services } from '../core/services.ts';
import { assertStoreWritable } from '../events/events.ts';
import { checkedInputs, decode, idMemberOf, inputsOf } from './delivery-inputs.ts';

/** A delivery that was verified, or that somebody repeats by hand. */
export interface VerifiedDelivery {
  readonly webhook: ActiveWebhook;
  readonly request: HookRequest;
  /** As its sender named it; null: look for it. */
  readonly deliveryId: string | null;
  /** Digest of the signature; null: nothing was signed. */
  readonly signature: string | null;
  /** The delivery that is repeated; what was claimed by that one is claimed no more. */
  readonly replayOf: string | null;
  /** In the transaction that makes the job. */
  readonly note?: OnceWrites['made'];
}

export type Delivered =
  | { readonly kind: 'filtered'; readonly id: string; readonly deliveryId: string | null }
  | {
      readonly kind: 'started';
      readonly id: string;
      readonly deliveryId: string | null;
      readonly jobId: string;
      readonly status: JobStatus;
      readonly runnable: Runnable;
    };

/** A delivery that came to nothing, with what is known of it by then. */
export class DeliveryError extends Error {
  readonly fault: unknown;
  readonly deliveryId: string | null;
  constructor(fault: unknown, deliveryId: string | null) {
    super('the delivery failed');
    this.fault = fault;
    this.deliveryId = deliveryId;
  }
}

/**
 * Starts the job of a delivery: decodes its body, evaluates filter and mapping, checks the inputs, and submits them, the job
 * and what keeps it from being made twice in one transaction. Rejects with a `DeliveryError`; REPLAYED names the job.
 */
export async function deliver(
  services: Services,
  load: { checkWithoutKey(workflowId: string): void },
  delivery: VerifiedDelivery,
): Promise<Delivered> {
  const { webhook, request, replayOf } = delivery;
  let deliveryId = delivery.deliveryId ?? headerOf(request.headers, webhook.deliveryIdHeader);
  try {
    const { claims, deliveries } = services.webhooks;
    const claimed = async (): Promise<string | null> => {
      const known = replayOf === null ? claimOf(webhook, deliveryId, delivery.signature) : null;
      const earlier = known === null ? null : claims.find(null, webhook.id, known);
      if (earlier !== null) throw await replayed(services, earlier);
      return known;
    };
    // Before its body is read, where that does not name it: a repetition costs no more than a wrong signature.
    const early = deliveryId !== null || idMemberOf(webhook) === null ? await claimed() : undefined;
    const body = await decode(services, webhook, request);
    deliveryId ??= body.id;
    const claim = early === undefined ? await claimed() : early;
    const runnable = runnableOf(services, webhook);
    const inputs = await inputsOf(services, webhook, request, body, deliveryId);
    if (inputs === null) {
      const outcome = { verdict: 'FILTERED', status: 200, code: null, reason: null, deliveryId, jobId: null } as const;
      return { kind: 'filtered', deliveryId, id: await deliveries.note(webhook, request, { ...outcome, replayOf }) };
    }
    assertStoreWritable(services);
    load.checkWithoutKey(webhook.workflowId);
    const checked = await checkedInputs(services, runnable, inputs);
    const kept = deliveries.prepare(webhook, request);
    const first: { jobId: string | null } = { jobId: null };
    const submitted = await services.jobs.submitOnce(
      {
        runnable,
        environment: webhook.environment,
        kind: 'event',
        inputs: checked,
        externalId: null,
        startedBy: { kind: 'webhook', id: webhook.id, dueAt: null },
        trace: parseTraceparent(headerOf(request.headers, 'traceparent') ?? undefined),
        replicaRunTimeoutSeconds: null,
      },
      {
        claim(db) {
          first.jobId = claim === null ? null : claims.find(db, webhook.id, claim);
          return first.jobId === null;
        },
        made(db, jobId) {
          if (claim !== null) claims.put(db, webhook.id, claim, jobId);
          const outcome = { verdict: 'ACCEPTED', status: 202, code: null, reason: null, deliveryId, jobId } as const;
          kept.write(db, { ...outcome, replayOf });
          delivery.note?.(db, jobId);
        },
      },
    );
    if (submitted === null) throw await replayed(services, first.jobId ?? '');
    return { kind: 'started', id: kept.id, deliveryId, jobId: submitted.jobId, status: submitted.status, runnable };
  } catch (error) {
    throw new DeliveryError(error, deliveryId);
  }
}

/** The job that came first may have been committed a moment ago, and not be safe yet. */
async function replayed({ durable }: Services, jobId: string): Promise<Fault> {
  await durable();
  return new Fault('REPLAYED', 'this delivery came before and started a job', { extra: { jobId } });
}

function runnableOf({ workflows }: Services, { workflowId, environment }: ActiveWebhook): Runnable {
  const endpoint = workflows.endpoint(workflowId, environment);
  if (endpoint.found === 'published') return endpoint.runnable;
  throw endpoint.found === 'workflow-unknown'
    ? new Fault('WORKFLOW_NOT_FOUND', `workflow ${workflowId} not found`)
    : new Fault('NOT_PUBLISHED', `workflow ${workflowId} is not published to ${environment}; publish a version first`);
}
