import { Fault } from '../../lib/fault.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** More masters than any cluster has. */
const MAX_ADDRESSES = 16;

/** The origins of one address or of several with commas between, each once. */
export function parseMasterOrigins(text: string): [string, ...string[]] {
  const [first = '', ...others] = text.split(',').filter((one) => one.trim() !== '');
  if (others.length >= MAX_ADDRESSES)
    throw new Fault('ADDRESS_INVALID', `expected at most ${MAX_ADDRESSES} URLs, got ${others.length + 1}`);
  const origin = parseMasterOrigin(first);
  return [origin, ...new Set(others.map(parseMasterOrigin).filter((other) => other !== origin))];
}

/** The origin of a master's address. https anywhere; http on loopback alone, since the token travels with every request. */
export function parseMasterOrigin(text: string): string {
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    throw new Fault('ADDRESS_INVALID', `expected a URL such as https://yardmaster.example.com, got "${text}"`);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new Fault('ADDRESS_INVALID', `expected a URL starting with https://, got "${text}"`);
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    throw new Fault('ADDRESS_INSECURE', `http:// would send the token in plain text to ${url.host}: use https://`);
  if (url.username || url.password)
    throw new Fault('ADDRESS_INVALID', 'the URL contains a user name or password: enter the token in its own field');
  if (url.pathname !== '/' || url.search || url.hash)
    throw new Fault(
      'ADDRESS_INVALID',
      `expected only host and port, got "${text}": remove everything after ${url.origin}`,
    );
  return url.origin;
}
