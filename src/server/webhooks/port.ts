import type { Page } from '../../contract/shapes.ts';
import type { Environment } from '../../contract/vocabulary.ts';
import type { Webhook, WebhookChange, WebhookDelivery, WebhookDraft, WebhookVerdict } from '../../contract/webhooks.ts';
import type { WriteHandle } from '../store/port.ts';
import type { Actor } from '../workflows/port.ts';
import type { HookRequest } from './request.ts';
import type { Verification, Verified } from './verify.ts';

export type { HookRequest } from './request.ts';
export type { Verification, Verified } from './verify.ts';

/** A webhook as the master's API shows it, but for its address. */
export type WebhookView = Omit<Webhook, 'url'>;

/** A webhook that takes deliveries, from memory. */
export interface ActiveWebhook extends Pick<
  WebhookView,
  | 'id'
  | 'workflowId'
  | 'environment'
  | 'deliveryIdHeader'
  | 'replay'
  | 'filter'
  | 'mapping'
  | 'response'
  | 'responseMapping'
  | 'perSecond'
> {
  /** Null: its secret cannot be decrypted. */
  readonly verification: Verification | null;
}

/** What came of a delivery. */
export interface DeliveryOutcome {
  readonly verdict: WebhookVerdict;
  readonly status: number;
  readonly code: string | null;
  readonly reason: string | null;
  readonly deliveryId: string | null;
  readonly jobId: string | null;
  readonly replayOf: string | null;
}

/** Where and in which environment a webhook starts jobs. */
export interface WebhookPlace {
  readonly workflowId: string;
  readonly environment: Environment;
}

/** Deliveries to one webhook that went wrong. */
export interface WebhookTrouble {
  readonly webhookId: string;
  readonly workflowId: string;
  readonly environment: string;
  /** Verified, but they started no job. */
  readonly failed: number;
  /** Not verified. */
  readonly refused: number;
}

/** Webhooks and their latest deliveries. Secrets are written, never read back. Changes are audited in their transaction. */
export interface Webhooks {
  /** `within`: only those of these workflows; null: all. */
  list(query: {
    page: number;
    size: number;
    workflowId?: string;
    environment?: Environment;
    within?: readonly string[] | null;
  }): Page<WebhookView>;
  /** Throws WEBHOOK_NOT_FOUND. */
  get(id: string): WebhookView;
  /** `secret`: where it was made here. Throws VALIDATION_FAILED, WEBHOOK_PATH_TAKEN, SECRETS_LOCKED. */
  create(draft: WebhookDraft, actor: Actor): Promise<{ webhook: WebhookView; secret: string | null }>;
  /** The same, and WEBHOOK_NOT_FOUND. */
  update(id: string, change: WebhookChange, actor: Actor): Promise<{ webhook: WebhookView; secret: string | null }>;
  remove(id: string, actor: Actor): Promise<void>;
  /** Replaces its secret; the one before it stays valid for `overlapSeconds`. */
  rotate(
    id: string,
    input: { secret?: string; overlapSeconds?: number },
    actor: Actor,
  ): Promise<{ webhook: WebhookView; secret: string | null }>;

  /** What is found under a path, from memory; null: nothing that takes deliveries. */
  at(path: string): ActiveWebhook | null;
  active(id: string): ActiveWebhook;
  /** Verifies a delivery; null stands for a webhook that is not there, with the same work. */
  verify(webhook: ActiveWebhook | null, request: HookRequest): Verified;

  deliveries: {
    list(id: string, query: { page: number; size: number }): Page<WebhookDelivery>;
    /** With its body. Throws DELIVERY_NOT_FOUND. */
    get(id: string, delivery: string): WebhookDelivery;
    /** The delivery as it came, without what was secret in its headers. Throws DELIVERY_NOT_FOUND, DELIVERY_NOT_KEPT. */
    request(id: string, delivery: string): { request: HookRequest; deliveryId: string | null };
    /** Prepared outside of the transaction, written inside of one. Gives its ID. */
    prepare(
      webhook: ActiveWebhook,
      request: HookRequest,
    ): { readonly id: string; write(db: WriteHandle, outcome: DeliveryOutcome): void };
    /** Prepares and writes one that started no job. */
    note(webhook: ActiveWebhook, request: HookRequest, outcome: DeliveryOutcome): Promise<string>;
  };
  counts: {
    add(webhook: Pick<ActiveWebhook, 'id' | 'workflowId' | 'environment'>, verdict: WebhookVerdict): void;
    /** Deliveries since the start of this master. */
    totals(): Readonly<Record<WebhookVerdict, number>>;
    /** What went wrong since a time, Unix milliseconds, by webhook. */
    trouble(from: number): readonly WebhookTrouble[];
    /** The webhook is gone. */
    remove(webhookId: string): void;
  };
  claims: {
    /** The job that a delivery with this claim started; null: none. */
    find(db: Pick<WriteHandle, 'query'> | null, webhookId: string, claim: string): string | null;
    /** In the transaction that makes the job. */
    put(db: WriteHandle, webhookId: string, claim: string, jobId: string): void;
  };
}
