import type { RemoteStoreOptions } from '../contract/process.ts';
import { Fault } from '../lib/fault.ts';
import { environmentVariable } from '../lib/environment-variable.ts';
import type { ProcessIo } from './process-io.ts';

/**
 * A store elsewhere, as an option names it (`logs`: `--logs URL`), with the credentials of its variables
 * (`YARDMASTER_LOGS_USER` and `_PASSWORD`, or `_TOKEN`), or those in the URL where a variable holds it. Throws USAGE.
 */
export function remoteStore(
  name: string,
  { url: text, ca, example }: { url: string; ca: string | undefined; example: string },
  env: ProcessIo['env'],
): RemoteStoreOptions {
  const variable = environmentVariable(name);
  const { url, inUrl } = remoteAddress(name, text, env, example);
  const user = env[`${variable}_USER`] || null;
  const password = env[`${variable}_PASSWORD`] || null;
  const token = env[`${variable}_TOKEN`] || null;
  const ways = [
    ...(inUrl ? ['the URL'] : []),
    ...(user === null && password === null ? [] : [`${variable}_USER and ${variable}_PASSWORD`]),
    ...(token === null ? [] : [`${variable}_TOKEN`]),
  ];
  if (ways.length > 1)
    throw new Fault('USAGE', `--${name} has credentials in ${ways.join(' and in ')}: keep them in one place`);
  if ((user === null) !== (password === null))
    throw new Fault('USAGE', `${variable}_USER and ${variable}_PASSWORD belong together: set both, or neither`);
  if (token !== null && /\s/.test(token)) throw new Fault('USAGE', `${variable}_TOKEN must not contain blanks`);
  if (ca !== undefined && !url.startsWith('https:'))
    throw new Fault('USAGE', `--${name}-ca is for https URLs, and --${name} is ${url}`);
  return {
    url,
    credentials: inUrl ?? (user !== null && password !== null ? { user, password } : token === null ? null : { token }),
    caFile: ca ?? null,
  };
}

/** The base address of an option without the credentials, and these; they are refused where the process list would show them. */
export function remoteAddress(
  name: string,
  text: string,
  env: ProcessIo['env'],
  example: string,
): { url: string; inUrl: { user: string; password: string } | null } {
  const url = URL.parse(text);
  // What is wrong with it is told without it: it may hold a password.
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new Fault('USAGE', `--${name} must be an http or https URL such as ${example}`);
  if (url.search !== '' || url.hash !== '')
    throw new Fault('USAGE', `--${name} must be a base URL such as ${example}, without ? and #`);
  const variable = environmentVariable(name);
  const inUrl =
    url.username === '' && url.password === ''
      ? null
      : { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
  if (inUrl && env[variable] !== text)
    throw new Fault(
      'USAGE',
      `--${name} must not contain a user name or password, because everybody on this machine can read the process list: set ${variable}_USER and ${variable}_PASSWORD, or the whole URL in ${variable}`,
    );
  url.username = '';
  url.password = '';
  return { url: url.href.replace(/\/+$/, ''), inUrl };
}
