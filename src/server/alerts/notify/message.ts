import { createHash } from 'node:crypto';
import type { ChannelSettings } from '../../../contract/alert-channels.ts';
import { DEFAULT_MESSAGE, DEFAULT_TITLE, type ChannelKind } from '../../../contract/vocabulary.ts';
import { iso } from '../../../lib/clock.ts';
import { labelsText, type Labels } from '../fingerprint.ts';
import { expandTemplate, type TemplateValues } from '../template.ts';
import type { NotifiedAlert } from './groups.ts';

/** A message that was decided. Kept in the outbox until it is delivered. */
export interface Message {
  /** The receiver's means to tell a repetition of the same message. */
  readonly id: string;
  readonly groupKey: string;
  readonly channelId: string;
  readonly groupLabels: Labels;
  readonly status: 'firing' | 'resolved';
  /** It says nothing but that somebody looks after all that fires. */
  readonly acknowledged?: true;
  /** The first ones; the counts are of all. */
  readonly alerts: readonly NotifiedAlert[];
  readonly firing: number;
  readonly resolved: number;
  readonly at: number;
}

/** A channel as a message is made for it. */
export interface Receiver {
  readonly name: string;
  readonly kind: ChannelKind;
  readonly title: string | null;
  readonly message: string | null;
  readonly settings: ChannelSettings;
}

export const MESSAGE_VALUES = ['status', 'count', 'firing', 'resolved', 'alertname', 'alerts', 'url', 'channel'];
export const MESSAGE_RECORDS = ['groupLabels', 'commonLabels', 'commonAnnotations'];

/** What all have with the same value. */
function common(all: readonly Labels[]): Labels {
  const [first = {}, ...rest] = all;
  return Object.fromEntries(
    Object.entries(first).filter(([name, value]) =>
      rest.every((other) => Object.hasOwn(other, name) && other[name] === value),
    ),
  );
}

const ackLine = ({ ack }: NotifiedAlert): string =>
  ack === undefined
    ? ''
    : `\n  ${ack.worseAt === null ? 'acknowledged' : 'worse than at the acknowledgement'} by ${ack.by}, ${iso(ack.at)}${ack.note === '' ? '' : `: ${ack.note}`}`;

const line = (alert: NotifiedAlert): string => {
  const { labels, annotations, startsAt, endsAt, value } = alert;
  const head = annotations['summary'] ?? annotations['description'] ?? labels['alertname'] ?? '';
  const { alertname: _alertname, ...rest } = labels;
  return `${endsAt === null ? 'FIRING' : 'RESOLVED'} ${head}${value === null || annotations['summary'] !== undefined ? '' : ` (value ${Number(value.toPrecision(6))})`}\n  since ${iso(startsAt)}${endsAt === null ? '' : `, ended ${iso(endsAt)}`}  ${labelsText(rest)}${annotations['description'] === undefined || annotations['description'] === head ? '' : `\n  ${annotations['description']}`}${ackLine(alert)}`;
};

/** Title and text of a message. `url`: the console. */
export function renderMessage(message: Message, receiver: Receiver, url: string): { title: string; text: string } {
  const { alerts, status, firing, resolved } = message;
  const commonLabels = common(alerts.map(({ labels }) => labels));
  const left = firing + resolved - alerts.length;
  const scope: TemplateValues = {
    status: status === 'firing' ? 'FIRING' : 'RESOLVED',
    count: status === 'firing' ? firing : resolved,
    firing,
    resolved,
    alertname: commonLabels['alertname'] ?? message.groupLabels['alertname'] ?? `${alerts.length} alerts`,
    alerts: `${alerts.map(line).join('\n')}${left > 0 ? `\nand ${left} more` : ''}`,
    url,
    channel: receiver.name,
    groupLabels: message.groupLabels,
    commonLabels,
    commonAnnotations: common(alerts.map(({ annotations }) => annotations)),
  };
  return {
    title: expandTemplate(receiver.title ?? DEFAULT_TITLE, scope)
      .replace(/\s+/g, ' ')
      .slice(0, 1024),
    text: expandTemplate(receiver.message ?? DEFAULT_MESSAGE, scope),
  };
}

const NEVER = '0001-01-01T00:00:00Z';

/** The body of a generic webhook, as Grafana sends it. */
export function webhookBody(message: Message, receiver: Receiver, url: string): object {
  const { title, text } = renderMessage(message, receiver, url);
  const { alerts } = message;
  return {
    receiver: receiver.name,
    status: message.status,
    alerts: alerts.map((alert) => ({
      status: alert.endsAt === null ? 'firing' : 'resolved',
      labels: alert.labels,
      annotations: alert.annotations,
      startsAt: iso(alert.startsAt),
      endsAt: alert.endsAt === null ? NEVER : iso(alert.endsAt),
      generatorURL: `${url}/alerts?tab=rules&rule=${encodeURIComponent(alert.ruleId)}`,
      fingerprint: alert.fingerprint,
      silenceURL: `${url}/alerts?silence=${encodeURIComponent(`${alert.ruleId}:${alert.fingerprint}`)}`,
      dashboardURL: '',
      panelURL: '',
      values: alert.value === null ? {} : { B: alert.value },
      ...(alert.ack === undefined
        ? {}
        : {
            acknowledged: {
              by: alert.ack.by,
              at: iso(alert.ack.at),
              note: alert.ack.note,
              worseAt: alert.ack.worseAt === null ? null : iso(alert.ack.worseAt),
            },
          }),
    })),
    groupLabels: message.groupLabels,
    commonLabels: common(alerts.map(({ labels }) => labels)),
    commonAnnotations: common(alerts.map(({ annotations }) => annotations)),
    externalURL: url,
    version: '1',
    groupKey: message.groupKey,
    truncatedAlerts: message.firing + message.resolved - alerts.length,
    orgId: 1,
    title,
    state: message.status === 'firing' ? 'alerting' : 'ok',
    message: text,
  };
}

/** Of a Slack-compatible hook. */
export function slackBody(message: Message, receiver: Receiver, url: string): object {
  const { title, text } = renderMessage(message, receiver, url);
  const { channel, username = 'Yardmaster' } = receiver.settings;
  return {
    ...(channel ? { channel } : {}),
    username,
    attachments: [
      {
        title,
        title_link: `${url}/alerts`,
        text,
        fallback: title,
        color: message.status === 'firing' ? '#D63232' : '#36a64f',
        footer: 'Yardmaster',
        ts: Math.floor(message.at / 1000),
      },
    ],
  };
}

/** An adaptive card of Teams. */
export function teamsBody(message: Message, receiver: Receiver, url: string): object {
  const { title, text } = renderMessage(message, receiver, url);
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      {
        type: 'TextBlock',
        text: title,
        weight: 'Bolder',
        size: 'Large',
        wrap: true,
        color: message.status === 'firing' ? 'Attention' : 'Good',
      },
      { type: 'TextBlock', text: text.replaceAll('\n', '\n\n'), wrap: true },
    ],
    actions: [{ type: 'Action.OpenUrl', title: 'Open Yardmaster', url: `${url}/alerts` }],
    msteams: { width: 'Full' },
  };
  return {
    type: 'message',
    summary: title,
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card }],
  };
}

const PAGER_BYTES = 512 * 1024;
const PAGER_SUMMARY = 1024;
const RANK = ['critical', 'error', 'warning', 'info'];

/** The key by which PagerDuty knows an incident: the same for all messages of a group. */
export const dedupKey = (groupKey: string): string => createHash('sha256').update(groupKey).digest('hex');

/** An event of PagerDuty's Events API, version 2. */
export function pagerdutyBody(message: Message, receiver: Receiver, url: string, routingKey: string): object {
  const { title, text } = renderMessage(message, receiver, url);
  const told = (which: 'firing' | 'resolved') =>
    message.alerts
      .filter(({ endsAt }) => (endsAt === null) === (which === 'firing'))
      .map(line)
      .join('\n');
  const severity = RANK.find((rank) => message.alerts.some(({ labels }) => labels['severity'] === rank)) ?? 'error';
  const commonLabels = common(message.alerts.map(({ labels }) => labels));
  const body = (details: object) => ({
    routing_key: routingKey,
    dedup_key: dedupKey(message.groupKey),
    event_action: message.status === 'resolved' ? 'resolve' : message.acknowledged ? 'acknowledge' : 'trigger',
    payload: {
      summary: title.slice(0, PAGER_SUMMARY),
      source: new URL(url).host,
      severity,
      class: commonLabels['alertname'] ?? '',
      component: commonLabels['workflow_id'] ?? 'yardmaster',
      group: labelsText(message.groupLabels),
      custom_details: details,
    },
    client: 'Yardmaster',
    client_url: `${url}/alerts`,
  });
  const counts = { num_firing: String(message.firing), num_resolved: String(message.resolved) };
  const whole = body({ ...counts, firing: told('firing'), resolved: told('resolved'), message: text });
  return Buffer.byteLength(JSON.stringify(whole)) <= PAGER_BYTES
    ? whole
    : body({ ...counts, firing: 'omitted: too long', resolved: 'omitted: too long' });
}
