import { readFileSync } from 'node:fs';
import type { ClientConfig } from 'pg';
import { errorCode } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';
import { passwordInFile } from './password-file.ts';

const MODES = ['disable', 'require', 'verify-ca', 'verify-full'];
const FILES = ['sslcert', 'sslkey', 'sslrootcert'];
const SECRETS = ['password', 'sslpassword'];

/**
 * The driver's settings for `postgres://user:password@host/database?sslmode=…`; the modes of TLS mean what they mean to libpq.
 * Throws USAGE for what cannot be meant, without naming the password.
 */
export function configOf(url: string): ClientConfig {
  const shown = withoutPassword(url);
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new Fault('USAGE', `--store expects sqlite or a postgres://user@host/database URL, got "${shown}"`);
  if (!URL.canParse(url))
    throw new Fault(
      'USAGE',
      `--store: "${shown}" cannot be read as a URL; in user and password, write / as %2F, @ as %40, # as %23 and % as %25`,
    );
  const parsed = new URL(url);
  const mode = parsed.searchParams.get('sslmode');
  if (mode !== null && !MODES.includes(mode))
    throw new Fault('USAGE', `--store: sslmode expects ${MODES.join(', ')}, got "${mode}"`);
  if (mode === 'verify-ca' && !parsed.searchParams.has('sslrootcert'))
    throw new Fault('USAGE', '--store: sslmode=verify-ca expects sslrootcert, the file of the authority it trusts');
  for (const name of FILES) {
    const file = parsed.searchParams.get(name);
    if (file !== null) checkReadable(name, file);
  }
  // The driver would take `require` for `verify-full`, and warn of it.
  if (mode !== null) parsed.searchParams.set('uselibpqcompat', 'true');
  if (parsed.password === '' && !parsed.searchParams.has('password') && !process.env['PGPASSWORD'])
    parsed.password = encodeURIComponent(
      passwordInFile({
        host: parsed.hostname || 'localhost',
        port: parsed.port || '5432',
        database: decodeURIComponent(parsed.pathname.slice(1) || parsed.username),
        user: decodeURIComponent(parsed.username),
      }),
    );
  return { connectionString: parsed.href, application_name: 'yardmaster' };
}

function checkReadable(name: string, file: string): void {
  try {
    readFileSync(file);
  } catch (error) {
    throw new Fault(
      'USAGE',
      `--store: the file of ${name}, "${file}", cannot be read (${errorCode(error) ?? 'no file'})`,
    );
  }
}

/** For people: the URL without what nobody else may read. */
export function withoutPassword(url: string): string {
  // Without a parser: what cannot be parsed is shown too. Everything up to the last @ before the host may be of the password.
  const [address = '', query] = url.split(/\?(?=[^@]*$)/, 2);
  const shown = address.replace(/^(\w+:\/\/)([^:@/]*):.*@/s, '$1$2:…@');
  if (query === undefined) return shown;
  const kept = query
    .split('&')
    .map((pair) => (SECRETS.includes(pair.split('=', 1)[0] ?? '') ? `${pair.split('=', 1)[0]}=…` : pair));
  return `${shown}?${kept.join('&')}`;
}
