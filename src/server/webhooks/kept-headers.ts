import type { IncomingHttpHeaders } from 'node:http';
import { MIN_REDACTED_CHARACTERS } from '../../contract/secret-names.ts';
import type { Verification } from './verify.ts';

/** Headers whose value lets somebody in, or proves something, whatever the webhook verifies. */
const SECRET = /auth|cookie|secret|token|signature|password|credential|api-?key|session/i;
/** Values that let somebody in by their form, under whatever name: of an Authorization header, and JSON Web Tokens. */
const CREDENTIAL = /^(?:(?:bearer|basic|digest|token|negotiate)\s|eyJ[\w-]+\.[\w-]+\.)/i;
const MAX_HEADERS = 100;
const MAX_VALUE = 2000;
export const REDACTED_HEADER = '[redacted]';

/** The headers of a delivery as they are kept, shown, and handed to expressions: without secrets and signatures. */
export function keptHeaders(headers: IncomingHttpHeaders, verification: Verification | null): Record<string, string> {
  const own =
    verification?.type === 'hmac'
      ? verification.scheme.header.toLowerCase()
      : verification?.type === 'key'
        ? verification.header.toLowerCase()
        : null;
  const secrets = verification === null || verification.type === 'none' ? [] : verification.secrets;
  const isSecret = (name: string, value: string) =>
    name === own || SECRET.test(name) || CREDENTIAL.test(value) || secrets.some((one) => holds(value, one));
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([, value]) => value !== undefined)
      .slice(0, MAX_HEADERS)
      .map(([name, value]) => [
        name,
        isSecret(name, String(value)) ? REDACTED_HEADER : String(value).slice(0, MAX_VALUE),
      ]),
  );
}

const holds = (text: string, secret: string): boolean =>
  secret.length >= MIN_REDACTED_CHARACTERS && text.includes(secret);

/** A query string as people are shown it: without the values of parameters that let somebody in by their name or form. */
export const shownQuery = (query: string): string =>
  query.replaceAll(/([?&])([^=&]*)=([^&]*)/g, (whole, mark: string, name: string, value: string) =>
    SECRET.test(decoded(name)) || CREDENTIAL.test(decoded(value)) ? `${mark}${name}=${REDACTED_HEADER}` : whole,
  );

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
