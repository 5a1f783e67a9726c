import { type Static, Type } from 'typebox';
import {
  Closed,
  Count,
  enumOf,
  EnvironmentSchema,
  get,
  Id,
  JobStatusSchema,
  Json,
  Nullable,
  PageOf,
  paging,
  Paging,
  patch,
  post,
  remove,
  tagged,
  Time,
} from './shapes.ts';
import { HMAC_ALGORITHMS, HMAC_ENCODINGS, HMAC_PRESETS } from './webhook-presets.ts';
import { WorkflowId } from './workflows.ts';

/** Webhooks: public paths where other services start jobs, and what was delivered there. */

export const WEBHOOK_VERIFICATIONS = ['none', 'hmac', 'basic', 'key'] as const;
export const WEBHOOK_RESPONSES = ['accepted', 'output'] as const;
export const WEBHOOK_REPLAY_CHECKS = ['delivery', 'signature', 'off'] as const;
export const WEBHOOK_VERDICTS = ['ACCEPTED', 'FILTERED', 'REPLAYED', 'SIGNATURE_INVALID', 'FAILED'] as const;
export type WebhookVerdict = (typeof WEBHOOK_VERDICTS)[number];

/** The part of its URL that is a webhook's own. */
export const WEBHOOK_PATH = '^[A-Za-z0-9][A-Za-z0-9_-]{2,99}$';
export const WEBHOOK_PREFIX = '/hooks/';

const HeaderName = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9-]{0,99}$' });
const Expression = Type.String({ minLength: 1, maxLength: 65_536, description: 'JSONata' });
const SecretText = Type.String({ minLength: 1, maxLength: 1024 });

const scheme = {
  preset: enumOf(HMAC_PRESETS),
  header: HeaderName,
  algorithm: enumOf(HMAC_ALGORITHMS),
  encoding: enumOf(HMAC_ENCODINGS),
  prefix: Type.String({ maxLength: 100 }),
  timestampHeader: Nullable(HeaderName),
  toleranceSeconds: Type.Integer({ minimum: 1, maximum: 86_400 }),
  signedContent: Type.String({ maxLength: 200, pattern: '\\{body\\}', description: 'With {body}, {timestamp}, {id}' }),
};

/** Which members belong to which type is checked by hand, for errors at the member itself. */
const VerifyIn = Closed(
  {
    type: enumOf(WEBHOOK_VERIFICATIONS),
    preset: Type.Optional(scheme.preset),
    header: Type.Optional(scheme.header),
    algorithm: Type.Optional(scheme.algorithm),
    encoding: Type.Optional(scheme.encoding),
    prefix: Type.Optional(scheme.prefix),
    timestampHeader: Type.Optional(scheme.timestampHeader),
    toleranceSeconds: Type.Optional(scheme.toleranceSeconds),
    signedContent: Type.Optional(scheme.signedContent),
    secret: Type.Optional(SecretText),
    key: Type.Optional(SecretText),
    username: Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: '^[^:]+$' })),
    password: Type.Optional(SecretText),
  },
  { description: 'hmac: preset and what differs from it, secret; basic: username, password; key: header, key' },
);
export type WebhookVerifyIn = Static<typeof VerifyIn>;

export const WebhookVerifySchema = Type.Object({
  type: enumOf(WEBHOOK_VERIFICATIONS),
  preset: Type.Optional(scheme.preset),
  header: Type.Optional(scheme.header),
  algorithm: Type.Optional(scheme.algorithm),
  encoding: Type.Optional(scheme.encoding),
  prefix: Type.Optional(scheme.prefix),
  timestampHeader: Type.Optional(scheme.timestampHeader),
  toleranceSeconds: Type.Optional(scheme.toleranceSeconds),
  signedContent: Type.Optional(scheme.signedContent),
  username: Type.Optional(Type.String()),
  previousUntil: Nullable(Type.String({ description: 'Until when the secret before the last rotation is valid' })),
});
export type WebhookVerify = Static<typeof WebhookVerifySchema>;

const settings = {
  description: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
  deliveryIdHeader: Type.Optional(
    Nullable(
      Type.String({ ...HeaderName, description: 'Header with the ID of the delivery; left out: that of the preset' }),
    ),
  ),
  replay: Type.Optional(
    Type.Unsafe<(typeof WEBHOOK_REPLAY_CHECKS)[number]>({
      ...enumOf(WEBHOOK_REPLAY_CHECKS),
      description: 'What may come once only: a delivery ID (without one, a signature), a signature, or neither',
    }),
  ),
  filter: Type.Optional(Nullable(Expression)),
  mapping: Type.Optional(Nullable(Expression)),
  response: Type.Optional(enumOf(WEBHOOK_RESPONSES)),
  responseMapping: Type.Optional(Nullable(Expression)),
  perSecond: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 10_000 }))),
  enabled: Type.Optional(Type.Boolean()),
};

export const WebhookSchema = Type.Object({
  id: Type.String(),
  url: Type.String({ description: 'By the public URL of the master; else by the address at which it was asked' }),
  path: Type.String(),
  workflowId: Type.String(),
  environment: EnvironmentSchema,
  description: Nullable(Type.String()),
  verify: WebhookVerifySchema,
  /** False: the master lacks the key that its secret was encrypted with, so that all deliveries are refused. */
  readable: Type.Boolean(),
  deliveryIdHeader: Nullable(Type.String()),
  replay: enumOf(WEBHOOK_REPLAY_CHECKS),
  filter: Nullable(Type.String()),
  mapping: Nullable(Type.String()),
  response: enumOf(WEBHOOK_RESPONSES),
  responseMapping: Nullable(Type.String()),
  perSecond: Nullable(Count),
  enabled: Type.Boolean(),
  lastDelivery: Nullable(Type.Object({ receivedAt: Time, verdict: enumOf(WEBHOOK_VERDICTS) })),
  createdAt: Time,
  updatedAt: Time,
  updatedBy: Type.String(),
});
export type Webhook = Static<typeof WebhookSchema>;

const WebhookCreatedSchema = Type.Object({
  ...WebhookSchema.properties,
  secret: Type.Optional(Type.String({ description: 'Shown once, where the master made it' })),
});
export type WebhookCreated = Static<typeof WebhookCreatedSchema>;

const WebhookDraft = Closed({
  workflowId: WorkflowId,
  environment: EnvironmentSchema,
  path: Type.Optional(Type.String({ pattern: WEBHOOK_PATH, description: 'Left out: random' })),
  verify: VerifyIn,
  ...settings,
});
export type WebhookDraft = Static<typeof WebhookDraft>;

const WebhookChange = Closed({
  path: Type.Optional(Type.String({ pattern: WEBHOOK_PATH })),
  verify: Type.Optional(VerifyIn),
  ...settings,
});
export type WebhookChange = Static<typeof WebhookChange>;

export const WebhookDeliverySchema = Type.Object({
  id: Type.String(),
  receivedAt: Time,
  verdict: enumOf(WEBHOOK_VERDICTS),
  /** With which the sender was answered; of a delivery whose answer is the output, that of a job accepted. */
  status: Type.Integer(),
  code: Nullable(Type.String({ description: 'Error code' })),
  reason: Nullable(Type.String()),
  deliveryId: Nullable(Type.String({ description: 'As the sender named it' })),
  jobId: Nullable(Type.String()),
  method: Type.String(),
  query: Type.String(),
  headers: Type.Record(Type.String(), Type.String()),
  contentType: Nullable(Type.String()),
  size: Count,
  body: Nullable(Type.String({ description: 'Null: not kept, or too long for a list' })),
  bodyEncoding: Nullable(enumOf(['utf8', 'base64'] as const)),
  address: Nullable(Type.String()),
  replayOf: Nullable(Type.String({ description: 'The delivery that this one repeats by hand' })),
  replayable: Type.Boolean(),
});
export type WebhookDelivery = Static<typeof WebhookDeliverySchema>;

const WebhookPreviewDraft = Closed({
  workflowId: WorkflowId,
  environment: EnvironmentSchema,
  filter: settings.filter,
  mapping: settings.mapping,
  sample: Closed(
    {
      method: Type.Optional(Type.String({ maxLength: 20 })),
      query: Type.Optional(Type.String({ maxLength: 8192, description: 'With its question mark' })),
      headers: Type.Optional(Type.Record(Type.String({ maxLength: 200 }), Type.String({ maxLength: 8192 }))),
      body: Type.Optional(Type.String()),
      bodyEncoding: Type.Optional(enumOf(['utf8', 'base64'] as const)),
      deliveryId: Type.Optional(Nullable(Type.String({ maxLength: 1000 }))),
    },
    { description: 'A delivery: one that was kept, or one that is made up' },
  ),
});
export type WebhookPreviewDraft = Static<typeof WebhookPreviewDraft>;

const WebhookPreviewSchema = Type.Object({
  document: Type.Unsafe<unknown>({ ...Json, description: 'What the expressions are evaluated on' }),
  filter: Type.Object({ passes: Nullable(Type.Boolean()), error: Nullable(Type.String()) }),
  mapping: Type.Object({ inputs: Json, error: Nullable(Type.String()) }),
  refused: Nullable(Type.String({ description: 'Why the version that is published there does not take the inputs' })),
});
export type WebhookPreview = Static<typeof WebhookPreviewSchema>;

const DeliveryParams = Type.Object({ id: Id, delivery: Id });

export const webhookRoutes = tagged('Webhooks', {
  'webhooks.list': get('/api/v1/webhooks', 'viewer', 'List webhooks', {
    query: Closed({
      ...paging,
      workflowId: Type.Optional(WorkflowId),
      environment: Type.Optional(EnvironmentSchema),
    }),
    answers: { 200: PageOf(WebhookSchema) },
  }),
  'webhooks.create': post('/api/v1/webhooks', 'operator', 'Create a webhook', {
    body: WebhookDraft,
    errors: ['WORKFLOW_NOT_FOUND', 'WEBHOOK_PATH_TAKEN', 'SECRETS_LOCKED'],
    answers: { 201: WebhookCreatedSchema },
  }),
  'webhooks.preview': post('/api/v1/webhooks/preview', 'operator', 'What filter and mapping make of a delivery', {
    body: WebhookPreviewDraft,
    errors: ['WORKFLOW_NOT_FOUND', 'INVALID_JSON', 'BAD_REQUEST'],
    answers: { 200: WebhookPreviewSchema },
  }),
  'webhooks.get': get('/api/v1/webhooks/:id', 'viewer', 'Get a webhook', {
    errors: ['WEBHOOK_NOT_FOUND'],
    answers: { 200: WebhookSchema },
  }),
  'webhooks.update': patch('/api/v1/webhooks/:id', 'operator', 'Change a webhook', {
    body: WebhookChange,
    errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_PATH_TAKEN', 'SECRETS_LOCKED'],
    answers: { 200: WebhookCreatedSchema },
  }),
  'webhooks.delete': remove('/api/v1/webhooks/:id', 'operator', 'Delete a webhook and its deliveries', {
    errors: ['WEBHOOK_NOT_FOUND'],
    answers: { 204: null },
  }),
  'webhooks.rotate': post('/api/v1/webhooks/:id/rotate', 'operator', 'Replace the secret of a webhook', {
    body: Closed({
      secret: Type.Optional(SecretText),
      overlapSeconds: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 2_592_000, description: 'How long the secret before it stays valid' }),
      ),
    }),
    errors: ['WEBHOOK_NOT_FOUND', 'SECRETS_LOCKED'],
    answers: { 200: WebhookCreatedSchema },
  }),
  'webhooks.deliveries': get('/api/v1/webhooks/:id/deliveries', 'viewer', 'List the latest deliveries', {
    query: Paging,
    errors: ['WEBHOOK_NOT_FOUND'],
    answers: { 200: PageOf(WebhookDeliverySchema) },
  }),
  'webhooks.delivery': get('/api/v1/webhooks/:id/deliveries/:delivery', 'viewer', 'Get a delivery with its body', {
    params: DeliveryParams,
    errors: ['WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND'],
    answers: { 200: WebhookDeliverySchema },
  }),
  'webhooks.replay': post('/api/v1/webhooks/:id/deliveries/:delivery/replay', 'operator', 'Deliver once more', {
    params: DeliveryParams,
    errors: [
      'WEBHOOK_NOT_FOUND',
      'DELIVERY_NOT_FOUND',
      'DELIVERY_NOT_KEPT',
      'NOT_PUBLISHED',
      'INPUT_INVALID',
      'EXPRESSION_FAILED',
    ],
    answers: {
      202: Type.Object({
        deliveryId: Type.String(),
        jobId: Nullable(Type.String({ description: 'Null: the filter dropped the delivery' })),
        status: Nullable(JobStatusSchema),
      }),
    },
  }),
});
