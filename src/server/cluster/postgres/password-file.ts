import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Fault } from '../../../lib/fault.ts';

export interface Place {
  readonly host: string;
  readonly port: string;
  readonly database: string;
  readonly user: string;
}

/** The password in the file of PGPASSFILE, else in ~/.pgpass, as libpq finds it; '': none. Throws where others may read the file. */
export function passwordInFile(place: Place, env: NodeJS.ProcessEnv = process.env): string {
  const file = env['PGPASSFILE'] || defaultFile(env);
  let text: string;
  try {
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
      throw new Fault('POSTGRES_REFUSED', `the password file ${file} can be read by other users: chmod 600 ${file}`);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Fault) throw error;
    return '';
  }
  return passwordAmong(text, place);
}

const defaultFile = (env: NodeJS.ProcessEnv): string =>
  process.platform === 'win32'
    ? join(env['APPDATA'] ?? homedir(), 'postgresql', 'pgpass.conf')
    : join(homedir(), '.pgpass');

/** Lines of host:port:database:user:password; * is any, \ stands before : and \ that are part of a value. The first that fits counts. */
export function passwordAmong(text: string, { host, port, database, user }: Place): string {
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const fields = [...line.matchAll(/((?:\\.|[^:\\])*)(?::|$)/g)].map(([, field = '']) => field);
    const [password] = fields.slice(4);
    const fits = [host, port, database, user].every((value, i) => fields[i] === '*' || unescape(fields[i]) === value);
    if (password !== undefined && fits) return unescape(password) ?? '';
  }
  return '';
}

const unescape = (field: string | undefined): string | undefined => field?.replace(/\\(.)/g, '$1');
