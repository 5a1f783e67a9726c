import type { WebhookPreviewDraft } from '../../../../contract/webhooks.ts';
import type { Sender } from './webhook-words.ts';

type Sample = WebhookPreviewDraft['sample'];

const GITHUB = {
  ref: 'refs/heads/main',
  repository: { full_name: 'acme/shop' },
  pusher: { name: 'ann' },
  commits: [{ id: '4f1c2b9', message: 'fix', author: { email: 'ann@example.com' } }],
};
const STRIPE = {
  id: 'evt_1',
  type: 'payment_intent.succeeded',
  data: { object: { id: 'pi_1', amount: 1250, currency: 'eur' } },
};
const SLACK = {
  type: 'event_callback',
  event_id: 'Ev1',
  event: { type: 'app_mention', user: 'U1', text: 'restart', channel: 'C1' },
};
const STANDARD = { type: 'invoice.paid', timestamp: '2026-11-27T12:00:00Z', data: { id: 'in_1', total: 1250 } };
const OTHER = { id: 4711, name: 'ada' };

const BODIES: Readonly<Partial<Record<Sender, object>>> = {
  github: GITHUB,
  stripe: STRIPE,
  slack: SLACK,
  standard: STANDARD,
};
const HEADERS: Readonly<Partial<Record<Sender, Record<string, string>>>> = {
  github: { 'x-github-event': 'push', 'x-github-delivery': '72d3162e-0000-4000-8000-000000000000' },
  standard: { 'webhook-id': 'msg_1' },
};

/** The body of a delivery as this sender makes it, to begin with. */
export const sampleBody = (sender: Sender): string => JSON.stringify(BODIES[sender] ?? OTHER, null, 2);

export const sampleOf = (sender: Sender, body: string): Sample => ({
  headers: { 'content-type': 'application/json', ...HEADERS[sender] },
  body,
});
