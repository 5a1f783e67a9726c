import { randomBytes } from 'node:crypto';
import { DEFAULT_KEY_HEADER, HMAC_SCHEMES, type HmacScheme } from '../../contract/webhook-presets.ts';
import type { WebhookVerifyIn } from '../../contract/webhooks.ts';
import { Fault } from '../../lib/fault.ts';
import type { StoredVerify } from './rows.ts';

type Member = Exclude<keyof WebhookVerifyIn, 'type'>;

const SCHEME = [
  'header',
  'algorithm',
  'encoding',
  'prefix',
  'timestampHeader',
  'toleranceSeconds',
  'signedContent',
] as const satisfies readonly (keyof HmacScheme & Member)[];

/** What each type takes besides its name. */
const TAKES: Readonly<Record<WebhookVerifyIn['type'], readonly Member[]>> = {
  none: [],
  hmac: ['preset', 'secret', ...SCHEME],
  basic: ['username', 'password'],
  key: ['header', 'key'],
};

export interface CheckedVerify {
  readonly stored: StoredVerify;
  /** The secret that was given; null: one is to be made, or the one before stays; undefined: it needs none. */
  readonly secret: string | null | undefined;
  readonly deliveryIdHeader: string | null;
}

/** How a webhook is to verify deliveries. Throws VALIDATION_FAILED with a pointer to each member that is wrong. */
export function checkVerifySettings(given: WebhookVerifyIn): CheckedVerify {
  const { type } = given;
  const takes: ReadonlySet<string> = new Set(['type', ...TAKES[type]]);
  const errors = Object.keys(given)
    .filter((name) => !takes.has(name))
    .map((name) => ({ pointer: `/verify/${name}`, message: `is not allowed for the type ${type}` }));
  if (type === 'basic' && given.username === undefined)
    errors.push({ pointer: '/verify/username', message: 'is required for the type basic' });
  if (given.secret !== undefined && given.preset === 'standard' && !isStandardKey(given.secret))
    errors.push({ pointer: '/verify/secret', message: 'must be base64, with or without whsec_ before it' });
  const { timestampHeader, signedContent } = { ...HMAC_SCHEMES[given.preset ?? 'generic'], ...given };
  // Whoever recorded a delivery would write the time of now beside it.
  if (type === 'hmac' && timestampHeader !== null && !signedContent.includes('{timestamp}'))
    errors.push({
      pointer: '/verify/signedContent',
      message: 'must contain {timestamp} where there is a timestampHeader: a time that is not signed proves nothing',
    });
  if (errors.length > 0)
    throw new Fault('VALIDATION_FAILED', `the verification is not valid: ${errors[0]?.pointer} ${errors[0]?.message}`, {
      errors,
    });
  switch (type) {
    case 'none':
      return { stored: { type }, secret: undefined, deliveryIdHeader: HMAC_SCHEMES.generic.deliveryIdHeader };
    case 'key':
      return {
        stored: { type, header: (given.header ?? DEFAULT_KEY_HEADER).toLowerCase() },
        secret: given.key ?? null,
        deliveryIdHeader: HMAC_SCHEMES.generic.deliveryIdHeader,
      };
    case 'basic':
      return {
        stored: { type, username: given.username ?? '' },
        secret: given.password ?? null,
        deliveryIdHeader: HMAC_SCHEMES.generic.deliveryIdHeader,
      };
    case 'hmac': {
      const preset = given.preset ?? 'generic';
      const { deliveryIdHeader, ...scheme } = HMAC_SCHEMES[preset];
      const changed = Object.fromEntries(
        SCHEME.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]),
      );
      return {
        stored: { type, preset, scheme: { ...scheme, ...changed } },
        secret: given.secret ?? null,
        deliveryIdHeader,
      };
    }
  }
}

const isStandardKey = (secret: string): boolean => /^[A-Za-z0-9+/]{16,}={0,2}$/.test(secret.replace(/^whsec_/, ''));

const SECRET_BYTES = 32;

/** A secret as the service that signs expects one. */
export function makeSecret(verify: StoredVerify): string {
  const bytes = randomBytes(SECRET_BYTES);
  return verify.type === 'hmac' && verify.preset === 'standard'
    ? `whsec_${bytes.toString('base64')}`
    : bytes.toString('base64url');
}

const PATH_BYTES = 18;

/** A path that nobody guesses. */
export const randomPath = (): string => `h${randomBytes(PATH_BYTES).toString('base64url')}`;
