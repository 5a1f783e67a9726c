/** How known services sign their webhooks: what a preset of HMAC verification fills in. Plain data, for master and console. */

export const HMAC_ALGORITHMS = ['sha1', 'sha256', 'sha384', 'sha512'] as const;
export const HMAC_ENCODINGS = ['hex', 'base64', 'base64url'] as const;
export const HMAC_PRESETS = ['github', 'stripe', 'slack', 'standard', 'generic'] as const;
export type HmacPreset = (typeof HMAC_PRESETS)[number];

export interface HmacScheme {
  /** Name of the header with the signature, in lower case. */
  readonly header: string;
  readonly algorithm: (typeof HMAC_ALGORITHMS)[number];
  readonly encoding: (typeof HMAC_ENCODINGS)[number];
  /** What stands before the signature in its header; in a header with several parts, the name of the part. */
  readonly prefix: string;
  /** Header with the time of signing, in seconds since 1970; null: there is none. */
  readonly timestampHeader: string | null;
  /** How far that time may be from the master's, in seconds. */
  readonly toleranceSeconds: number;
  /** What is signed, with `{body}`, `{timestamp}` and `{id}` (of the delivery) in it. */
  readonly signedContent: string;
  /** Header with the ID of the delivery; null: there is none. */
  readonly deliveryIdHeader: string | null;
}

const TOLERANCE_SECONDS = 300;

export const HMAC_SCHEMES: Readonly<Record<HmacPreset, HmacScheme>> = {
  github: {
    header: 'x-hub-signature-256',
    algorithm: 'sha256',
    encoding: 'hex',
    prefix: 'sha256=',
    timestampHeader: null,
    toleranceSeconds: TOLERANCE_SECONDS,
    signedContent: '{body}',
    deliveryIdHeader: 'x-github-delivery',
  },
  // Stripe writes time and signatures into one header: t=…,v1=…; its ID of the event is in the body.
  stripe: {
    header: 'stripe-signature',
    algorithm: 'sha256',
    encoding: 'hex',
    prefix: 'v1=',
    timestampHeader: 'stripe-signature',
    toleranceSeconds: TOLERANCE_SECONDS,
    signedContent: '{timestamp}.{body}',
    deliveryIdHeader: null,
  },
  slack: {
    header: 'x-slack-signature',
    algorithm: 'sha256',
    encoding: 'hex',
    prefix: 'v0=',
    timestampHeader: 'x-slack-request-timestamp',
    toleranceSeconds: TOLERANCE_SECONDS,
    signedContent: 'v0:{timestamp}:{body}',
    deliveryIdHeader: null,
  },
  // https://www.standardwebhooks.com
  standard: {
    header: 'webhook-signature',
    algorithm: 'sha256',
    encoding: 'base64',
    prefix: 'v1,',
    timestampHeader: 'webhook-timestamp',
    toleranceSeconds: TOLERANCE_SECONDS,
    signedContent: '{id}.{timestamp}.{body}',
    deliveryIdHeader: 'webhook-id',
  },
  generic: {
    header: 'x-signature',
    algorithm: 'sha256',
    encoding: 'hex',
    prefix: '',
    timestampHeader: null,
    toleranceSeconds: TOLERANCE_SECONDS,
    signedContent: '{body}',
    deliveryIdHeader: 'x-delivery-id',
  },
};

/** The header with the key, where a webhook names none. */
export const DEFAULT_KEY_HEADER = 'x-api-key';
