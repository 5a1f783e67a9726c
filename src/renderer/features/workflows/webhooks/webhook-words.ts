import type { Webhook, WebhookVerdict } from '../../../../contract/webhooks.ts';
import { t } from '../../../../lib/language.ts';
import type { Tone } from '../../../ui/status.ts';

/** How deliveries are verified, as one choice: a preset of HMAC, or another type. */
export const SENDERS = ['github', 'stripe', 'slack', 'standard', 'generic', 'key', 'basic', 'none'] as const;
export type Sender = (typeof SENDERS)[number];

export const senderOf = ({ verify }: Pick<Webhook, 'verify'>): Sender =>
  verify.type === 'hmac' ? (verify.preset ?? 'generic') : verify.type;

export const senderLabels = (): Readonly<Record<Sender, string>> => ({
  github: t('GitHub'),
  stripe: t('Stripe'),
  slack: t('Slack'),
  standard: t('Standard Webhooks'),
  generic: t('Other service with HMAC'),
  key: t('Key in a header'),
  basic: t('User name and password'),
  none: t('No verification'),
});

/** What to do at the sender. */
export const setupHints = (): Readonly<Record<Sender, string>> => ({
  github: t('In the repository: Settings, Webhooks, Add webhook. Enter URL and secret; content type application/json.'),
  stripe: t(
    'In the dashboard: Developers, Webhooks, Add endpoint. Enter the URL; Stripe then shows its signing secret (whsec_…): enter it here.',
  ),
  slack: t(
    'In the app: Event Subscriptions, Request URL. The signing secret is under Basic Information: enter it here first.',
  ),
  standard: t(
    'Enter URL and secret at the service. It signs with webhook-id, webhook-timestamp and webhook-signature.',
  ),
  generic: t('Sign the body with HMAC-SHA256 and send the signature in hex in the header x-signature.'),
  key: t('Send the key in the header with every delivery.'),
  basic: t('Send name and password as HTTP basic authentication.'),
  none: t('Anyone who knows the URL can start jobs. Keep it secret, or choose another verification.'),
});

/** Services that make the secret themselves. */
export const GIVES_SECRET: ReadonlySet<Sender> = new Set<Sender>(['stripe', 'slack']);

export const verdictLabels = (): Readonly<Record<WebhookVerdict, string>> => ({
  ACCEPTED: t('Accepted'),
  FILTERED: t('Filtered out'),
  REPLAYED: t('Came before'),
  SIGNATURE_INVALID: t('Not verified'),
  FAILED: t('Failed'),
});

export const VERDICT_TONES: Readonly<Record<WebhookVerdict, Tone>> = {
  ACCEPTED: 'done',
  FILTERED: 'empty',
  REPLAYED: 'warn',
  SIGNATURE_INVALID: 'fail',
  FAILED: 'fail',
};
