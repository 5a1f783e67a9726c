import { Type } from 'typebox';
import { ALERT_STATES, HISTORY_KINDS } from './alerts.ts';
import * as alerts from './api-alerts.ts';
import { oneOf, PageOf } from './shapes.ts';

/** The routes of alerting; part of the route table. */

const strict = { additionalProperties: false } as const;
const paging = {
  page: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000_000, default: 0 })),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 20 })),
};
const Paging = Type.Object(paging, strict);
const params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) });
const State = oneOf(ALERT_STATES);

export const ALERT_ROUTES = {
  listAlerts: {
    method: 'GET',
    path: '/api/v1/alerts',
    access: 'viewer',
    tag: 'Alerts',
    summary: 'Alerts that are not Normal, the worst first',
    query: Type.Object(
      {
        ...paging,
        state: Type.Optional(Type.Union([Type.Array(State), State])),
        ruleId: Type.Optional(Type.String({ maxLength: 64 })),
        q: Type.Optional(Type.String({ maxLength: 200, description: 'Text in the values of the labels' })),
        heldBack: Type.Optional(
          Type.Boolean({ description: 'Those alone that a silence or another alert keeps back; false: the others' }),
        ),
      },
      strict,
    ),
    answers: { 200: PageOf(alerts.AlertSchema) },
  },
  listAlertHistory: {
    method: 'GET',
    path: '/api/v1/alerts/history',
    access: 'viewer',
    tag: 'Alerts',
    summary: 'What fired and what was sent to whom, newest first',
    query: Type.Object(
      { ...paging, kind: Type.Optional(oneOf(HISTORY_KINDS)), ruleId: Type.Optional(Type.String({ maxLength: 64 })) },
      strict,
    ),
    answers: { 200: PageOf(alerts.AlertHistorySchema) },
  },

  acknowledgeAlert: {
    method: 'POST',
    path: '/api/v1/alerts/:id/acknowledgement',
    access: 'operator',
    tag: 'Alerts',
    summary: 'Look after an alert that fires: its messages are not repeated until it ends or gets worse',
    params,
    body: alerts.AcknowledgeBodySchema,
    answers: { 200: alerts.AlertSchema },
  },
  withdrawAlertAcknowledgement: {
    method: 'DELETE',
    path: '/api/v1/alerts/:id/acknowledgement',
    access: 'operator',
    tag: 'Alerts',
    summary: 'Look after an alert no longer: its messages are repeated again',
    params,
    answers: { 200: alerts.AlertSchema },
  },

  listAlertRules: {
    method: 'GET',
    path: '/api/v1/alerts/rules',
    access: 'viewer',
    tag: 'Alerts',
    summary: 'List rules',
    query: Paging,
    answers: { 200: PageOf(alerts.RuleSchema) },
  },
  createAlertRule: {
    method: 'POST',
    path: '/api/v1/alerts/rules',
    access: 'admin',
    tag: 'Alerts',
    summary: 'Create a rule',
    body: alerts.RuleDraftSchema,
    answers: { 201: alerts.RuleSchema },
  },
  previewAlertRule: {
    method: 'POST',
    path: '/api/v1/alerts/preview',
    access: 'viewer',
    tag: 'Alerts',
    summary: 'What a rule would have seen, and when it would have fired',
    body: alerts.PreviewBodySchema,
    answers: { 200: alerts.PreviewSchema },
  },
  getAlertRule: {
    method: 'GET',
    path: '/api/v1/alerts/rules/:id',
    access: 'viewer',
    tag: 'Alerts',
    summary: 'One rule',
    params,
    answers: { 200: alerts.RuleSchema },
  },
  updateAlertRule: {
    method: 'PATCH',
    path: '/api/v1/alerts/rules/:id',
    access: 'admin',
    tag: 'Alerts',
    summary: 'Change a rule, or switch it on or off',
    params,
    body: alerts.RulePatchSchema,
    answers: { 200: alerts.RuleSchema },
  },
  deleteAlertRule: {
    method: 'DELETE',
    path: '/api/v1/alerts/rules/:id',
    access: 'admin',
    tag: 'Alerts',
    summary: 'Delete a rule; a built-in one can only be switched off',
    params,
    answers: { 204: null },
  },

  listSilences: {
    method: 'GET',
    path: '/api/v1/alerts/silences',
    access: 'viewer',
    tag: 'Alerts',
    summary: 'List silences',
    query: Type.Object({ ...paging, state: Type.Optional(oneOf(['pending', 'active', 'expired'] as const)) }, strict),
    answers: { 200: PageOf(alerts.SilenceSchema) },
  },
  createSilence: {
    method: 'POST',
    path: '/api/v1/alerts/silences',
    access: 'operator',
    tag: 'Alerts',
    summary: 'Keep messages of some alerts back for a while',
    body: alerts.SilenceDraftSchema,
    answers: { 201: alerts.SilenceSchema },
  },
  expireSilence: {
    method: 'DELETE',
    path: '/api/v1/alerts/silences/:id',
    access: 'operator',
    tag: 'Alerts',
    summary: 'End a silence now',
    params,
    answers: { 204: null },
  },

  listChannels: {
    method: 'GET',
    path: '/api/v1/alerts/channels',
    access: 'viewer',
    tag: 'Alerts',
    summary: 'List channels; secrets are never shown',
    query: Paging,
    answers: { 200: PageOf(alerts.ChannelSchema) },
  },
  createChannel: {
    method: 'POST',
    path: '/api/v1/alerts/channels',
    access: 'admin',
    tag: 'Alerts',
    summary: 'Create a channel',
    body: alerts.ChannelDraftSchema,
    answers: { 201: alerts.ChannelSchema },
  },
  previewTemplate: {
    method: 'POST',
    path: '/api/v1/alerts/template',
    access: 'viewer',
    tag: 'Alerts',
    summary: 'Templates filled in for an example',
    body: alerts.TemplateBodySchema,
    answers: { 200: alerts.TemplateSchema },
  },
  getChannel: {
    method: 'GET',
    path: '/api/v1/alerts/channels/:id',
    access: 'viewer',
    tag: 'Alerts',
    summary: 'One channel',
    params,
    answers: { 200: alerts.ChannelSchema },
  },
  updateChannel: {
    method: 'PATCH',
    path: '/api/v1/alerts/channels/:id',
    access: 'admin',
    tag: 'Alerts',
    summary: 'Change a channel',
    params,
    body: alerts.ChannelPatchSchema,
    answers: { 200: alerts.ChannelSchema },
  },
  deleteChannel: {
    method: 'DELETE',
    path: '/api/v1/alerts/channels/:id',
    access: 'admin',
    tag: 'Alerts',
    summary: 'Delete a channel that the policy does not use',
    params,
    answers: { 204: null },
  },
  testChannel: {
    method: 'POST',
    path: '/api/v1/alerts/channels/:id/test',
    access: 'admin',
    tag: 'Alerts',
    summary: 'Send a test message; answers what the receiver said',
    params,
    answers: { 200: alerts.ChannelTestSchema },
  },

  getAlertPolicy: {
    method: 'GET',
    path: '/api/v1/alerts/policy',
    access: 'viewer',
    tag: 'Alerts',
    summary: 'Which alerts go to which channels, and when',
    answers: { 200: alerts.PolicySchema },
  },
  putAlertPolicy: {
    method: 'PUT',
    path: '/api/v1/alerts/policy',
    access: 'admin',
    tag: 'Alerts',
    summary: 'Replace the notification policy',
    body: alerts.PolicyBodySchema,
    answers: { 200: alerts.PolicySchema },
  },
} as const;
