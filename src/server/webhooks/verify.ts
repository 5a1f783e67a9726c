import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { HMAC_SCHEMES, type HmacPreset, type HmacScheme } from '../../contract/webhook-presets.ts';
import { headerOf, type HookRequest } from './request.ts';

/** How a webhook tells its sender from others, with the secrets that are valid now. */
export type Verification =
  | { readonly type: 'none' }
  | {
      readonly type: 'hmac';
      readonly preset: HmacPreset;
      readonly scheme: HmacScheme;
      readonly secrets: readonly string[];
    }
  | { readonly type: 'key'; readonly header: string; readonly secrets: readonly string[] }
  | { readonly type: 'basic'; readonly username: string; readonly secrets: readonly string[] };

export interface Verified {
  /** Null: it is from who it should be from; else why it is not, for people of this master alone. */
  readonly refusal: string | null;
  /** Digest of the signature that was right; null where nothing is signed. */
  readonly signature: string | null;
}

/** Signatures of one header that are looked at. */
const MOST_SIGNATURES = 10;

/**
 * Verifies a delivery. Whatever the type is and wherever it fails, the same work is done: a digest of the whole body for each
 * secret, and comparisons that take the same time whether or not they match.
 *
 * @param now in milliseconds
 */
export function verify(how: Verification, request: HookRequest, now: number): Verified {
  const scheme = how.type === 'hmac' ? how.scheme : HMAC_SCHEMES.generic;
  const secrets = how.type === 'none' ? [''] : how.secrets;
  const signed = signatureIn(scheme, request);
  const preset = how.type === 'hmac' ? how.preset : 'generic';
  const digests = secrets.map((secret) => digestOf(scheme, preset, secret, signed, request));
  switch (how.type) {
    case 'none':
      return { refusal: null, signature: null };
    case 'hmac':
      return verifySignature(scheme, digests, signed, now);
    case 'key':
      return bySecret(headerOf(request.headers, how.header), secrets, `header ${how.header}`);
    case 'basic': {
      const given = basicCredentials(headerOf(request.headers, 'authorization'));
      return bySecret(
        given,
        secrets.map((secret) => `${how.username}:${secret}`),
        'header authorization',
      );
    }
  }
}

interface Signed {
  readonly signatures: readonly string[];
  readonly timestamp: string | null;
  readonly id: string;
}

/** What the headers say of signature, time and ID. */
function signatureIn(scheme: HmacScheme, { headers }: HookRequest): Signed {
  const id = headerOf(headers, scheme.deliveryIdHeader) ?? '';
  const header = (headerOf(headers, scheme.header) ?? '').slice(0, 8192);
  if (scheme.timestampHeader !== null && scheme.timestampHeader.toLowerCase() === scheme.header.toLowerCase()) {
    // Stripe: t=…,v1=…,v1=…
    const parts = header.split(',').map((part) => part.trim());
    const time = parts.find((part) => part.startsWith('t='))?.slice(2) ?? null;
    return { signatures: without(scheme.prefix, parts), timestamp: time, id };
  }
  return {
    signatures: without(scheme.prefix, header.split(/\s+/)),
    timestamp: headerOf(headers, scheme.timestampHeader),
    id,
  };
}

const without = (prefix: string, parts: readonly string[]): string[] =>
  parts
    .filter((part) => part !== '' && part.startsWith(prefix))
    .slice(0, MOST_SIGNATURES)
    .map((part) => part.slice(prefix.length));

function digestOf(
  { algorithm, encoding, signedContent }: HmacScheme,
  preset: HmacPreset,
  secret: string,
  { timestamp, id }: Signed,
  { body }: HookRequest,
): string {
  const hmac = createHmac(algorithm, keyOf(preset, secret));
  for (const [i, piece] of signedContent.split('{body}').entries()) {
    if (i > 0) hmac.update(body);
    hmac.update(piece.replaceAll('{timestamp}', () => timestamp ?? '').replaceAll('{id}', () => id));
  }
  return comparable(encoding, hmac.digest(encoding));
}

/** Standard Webhooks writes the bytes of a key in base64. */
const keyOf = (preset: HmacPreset, secret: string): string | Buffer =>
  preset === 'standard' ? Buffer.from(secret.replace(/^whsec_/, ''), 'base64') : secret;

/** In which case and with which padding a signature is written says nothing. */
const comparable = (encoding: HmacScheme['encoding'], text: string): string =>
  encoding === 'hex' ? text.toLowerCase() : text.replace(/=+$/, '');

function verifySignature(
  scheme: HmacScheme,
  digests: readonly string[],
  { signatures, timestamp }: Signed,
  now: number,
): Verified {
  let matched: string | null = null;
  for (const signature of signatures.map((one) => comparable(scheme.encoding, one)))
    for (const digest of digests) if (isSame(signature, digest)) matched = signature;
  const refusal =
    signatures.length === 0
      ? `header ${scheme.header} with a signature${scheme.prefix === '' ? '' : ` (${scheme.prefix}…)`} is missing`
      : matched === null
        ? `the signature in header ${scheme.header} is not that of the body with this secret`
        : scheme.timestampHeader === null
          ? null
          : staleness(scheme, timestamp, now);
  return { refusal, signature: refusal === null && matched !== null ? sha256(matched).toString('hex') : null };
}

function staleness({ timestampHeader, toleranceSeconds }: HmacScheme, timestamp: string | null, now: number) {
  const seconds = timestamp !== null && /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : null;
  if (seconds === null) return `header ${timestampHeader} with the time of signing in seconds is missing`;
  const off = Math.round(now / 1000) - seconds;
  return Math.abs(off) <= toleranceSeconds
    ? null
    : `it was signed ${Math.abs(off)} s ${off > 0 ? 'ago' : 'in the future'}; the tolerance is ${toleranceSeconds} s`;
}

function bySecret(given: string | null, expected: readonly string[], where: string): Verified {
  let matches = false;
  for (const one of expected) if (isSame(given ?? '', one)) matches = true;
  return {
    refusal: matches && given !== null ? null : given === null ? `${where} is missing` : `${where} is wrong`,
    signature: null,
  };
}

/** `name:password` of a header for basic authentication; null: it is none. */
function basicCredentials(header: string | null): string | null {
  const encoded = /^basic\s+([A-Za-z0-9+/=]+)$/i.exec(header ?? '')?.[1];
  return encoded === undefined ? null : Buffer.from(encoded, 'base64').toString('utf8');
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Digests are of one length, whatever was given. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(sha256(a), sha256(b));
