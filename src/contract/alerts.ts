import { type Static, Type } from 'typebox';
import { AnyLabels, Matchers, MatcherSchema } from './alert-rules.ts';
import { Count, Nullable, enumOf, PageOf, paging, get, post, remove, tagged, Time, Closed } from './shapes.ts';
import { ALERT_STATES, HISTORY_KINDS, SEVERITIES } from './vocabulary.ts';

/** Alerts that fire, silences, and the history of both. */

export const AlertSchema = Type.Object({
  id: Type.String({ description: '<rule>:<fingerprint>' }),
  fingerprint: Type.String({ description: '16 hexadecimal digits: FNV-64a over the sorted labels' }),
  ruleId: Type.String(),
  ruleName: Type.String(),
  state: enumOf(ALERT_STATES),
  severity: enumOf(SEVERITIES),
  labels: AnyLabels,
  annotations: AnyLabels,
  value: Nullable(Type.Number()),
  /** When the condition began to hold. */
  activeAt: Time,
  /** When it began to fire; null while it is pending. */
  startsAt: Nullable(Time),
  endsAt: Nullable(Time),
  lastEvaluatedAt: Time,
  reason: Nullable(Type.String()),
  silencedBy: Type.Array(Type.String()),
  inhibitedBy: Type.Array(Type.String()),
  acknowledged: Type.Optional(
    Nullable(
      Type.Object(
        { at: Time, by: Type.String(), note: Type.String({ description: 'Empty if there is none' }) },
        { description: 'Who is working on it; messages are not repeated until it resolves or gets worse' },
      ),
    ),
  ),
});

export const AcknowledgeBodySchema = Closed({ note: Type.Optional(Type.String({ maxLength: 2000 })) });
export type Alert = Static<typeof AlertSchema>;

export const SilenceDraftSchema = Closed(
  {
    matchers: Type.Array(MatcherSchema, { minItems: 1, maxItems: 32 }),
    comment: Type.String({ minLength: 1, maxLength: 2000 }),
    startsAt: Type.Optional(Type.String({ format: 'date-time', description: 'Default: now' })),
    endsAt: Type.Optional(Type.String({ format: 'date-time' })),
    durationSeconds: Type.Optional(Type.Number({ minimum: 1, maximum: 31_536_000 })),
  },
  { description: 'One of endsAt and durationSeconds' },
);
export type SilenceDraft = Static<typeof SilenceDraftSchema>;

export const SilenceSchema = Type.Object({
  id: Type.String(),
  matchers: Matchers,
  comment: Type.String(),
  startsAt: Time,
  endsAt: Time,
  createdAt: Time,
  createdBy: Type.String(),
  state: enumOf(['pending', 'active', 'expired'] as const),
  /** Alerts that it holds back now. */
  alerts: Count,
});
export type Silence = Static<typeof SilenceSchema>;

export const AlertHistorySchema = Type.Object({
  id: Count,
  at: Time,
  kind: enumOf(HISTORY_KINDS),
  ruleId: Nullable(Type.String()),
  ruleName: Nullable(Type.String()),
  fingerprint: Nullable(Type.String()),
  labels: AnyLabels,
  /** Of a change of state. */
  from: Nullable(enumOf(ALERT_STATES)),
  to: Nullable(enumOf(ALERT_STATES)),
  value: Nullable(Type.Number()),
  reason: Nullable(Type.String()),
  /** Of a notification. */
  channelId: Nullable(Type.String()),
  channelName: Nullable(Type.String()),
  status: Nullable(enumOf(['firing', 'resolved'] as const)),
  ok: Nullable(Type.Boolean()),
  attempt: Nullable(Count),
  firing: Nullable(Count),
  resolved: Nullable(Count),
  title: Nullable(Type.String()),
  answer: Nullable(Type.String()),
});
export type AlertHistory = Static<typeof AlertHistorySchema>;

/** What the live stream's `alert` events carry: an instance that changed, or a message for the screens of operators. */
export type AlertEvent =
  | ({ kind: 'instance' } & Alert)
  | { kind: 'notification'; id: string; at: string; status: 'firing' | 'resolved'; title: string; message: string };

const State = enumOf(ALERT_STATES);

export const alertRoutes = tagged('Alerts', {
  'alerts.list': get('/api/v1/alerts', 'viewer', 'List active alerts, the most severe first', {
    query: Closed({
      ...paging,
      state: Type.Optional(Type.Union([Type.Array(State), State])),
      ruleId: Type.Optional(Type.String({ maxLength: 64 })),
      q: Type.Optional(Type.String({ maxLength: 200, description: 'Text in the label values' })),
      heldBack: Type.Optional(Type.Boolean({ description: 'true: only suppressed alerts; false: only the others' })),
    }),
    answers: { 200: PageOf(AlertSchema) },
  }),
  'alerts.history': get('/api/v1/alerts/history', 'viewer', 'Alert history: alerts and messages, newest first', {
    query: Closed({
      ...paging,
      kind: Type.Optional(enumOf(HISTORY_KINDS)),
      ruleId: Type.Optional(Type.String({ maxLength: 64 })),
    }),
    answers: { 200: PageOf(AlertHistorySchema) },
  }),
  'alerts.acknowledge': post(
    '/api/v1/alerts/:id/acknowledgement',
    'operator',
    'Acknowledge a firing alert: no repeat messages until it resolves or gets worse',
    { body: AcknowledgeBodySchema, errors: ['ALERT_NOT_FOUND', 'ALERT_NOT_FIRING'], answers: { 200: AlertSchema } },
  ),
  'alerts.unacknowledge': remove(
    '/api/v1/alerts/:id/acknowledgement',
    'operator',
    'Remove an acknowledgement: messages are repeated again',
    { errors: ['ALERT_NOT_FOUND'], answers: { 200: AlertSchema } },
  ),
  'silences.list': get('/api/v1/alerts/silences', 'viewer', 'List silences', {
    query: Closed({ ...paging, state: Type.Optional(enumOf(['pending', 'active', 'expired'] as const)) }),
    answers: { 200: PageOf(SilenceSchema) },
  }),
  'silences.create': post('/api/v1/alerts/silences', 'operator', 'Create a silence', {
    body: SilenceDraftSchema,
    answers: { 201: SilenceSchema },
  }),
  'silences.expire': remove('/api/v1/alerts/silences/:id', 'operator', 'End a silence now', {
    errors: ['SILENCE_NOT_FOUND'],
    answers: { 204: null },
  }),
});
