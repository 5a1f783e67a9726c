import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Fault } from '../lib/fault.ts';
import { errorCode, errorMessage } from '../lib/errors.ts';
import { defaultDataFolder, makeFolder } from '../lib/folders.ts';
import { isRecord } from '../lib/is-record.ts';
import type { ProcessIo } from './process-io.ts';

/** A token that `yardmaster login` got from a master. */
export interface Login {
  readonly tokenId: string;
  readonly token: string;
  /** Who it belongs to, as the master called them. */
  readonly actor: string;
  /** ISO time. */
  readonly expiresAt: string | null;
}

type Env = Pick<ProcessIo, 'env'>;

/** Tokens by the origin of their master, readable by their owner alone. */
const fileOf = ({ env }: Env): string =>
  env['YARDMASTER_LOGINS'] || join(defaultDataFolder({ ...env, YARDMASTER_DATA: undefined }), 'logins.json');

/** A token is for one origin, never for another host or port. */
const keyOf = (url: string): string => new URL(url).origin;

export function findLogin(url: string, io: Env): Login | null {
  return readAll(io)[keyOf(url)] ?? null;
}

export function saveLogin(url: string, login: Login, io: Env): void {
  write({ ...readAll(io), [keyOf(url)]: login }, io);
}

export function forgetLogin(url: string, io: Env): void {
  const { [keyOf(url)]: _gone, ...others } = readAll(io);
  write(others, io);
}

function readAll(io: Env): Record<string, Login> {
  const file = fileOf(io);
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const entries = Object.entries(isRecord(kept) ? kept : {}).flatMap(([origin, one]) =>
      isRecord(one) && typeof one['token'] === 'string' && typeof one['tokenId'] === 'string'
        ? [[origin, one as unknown as Login] as const]
        : [],
    );
    return Object.fromEntries(entries);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return {};
    throw new Fault('FILE_UNREADABLE', `${file} with the saved sign-ins cannot be read: ${errorMessage(error)}`);
  }
}

/** Whole or not at all, and never readable by others. */
function write(logins: Record<string, Login>, io: Env): void {
  const file = fileOf(io);
  const half = `${file}.${process.pid}`;
  try {
    makeFolder(dirname(file));
    const fd = openSync(half, 'wx', 0o600);
    try {
      writeSync(fd, `${JSON.stringify(logins, null, 2)}\n`);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(half, file);
  } catch (error) {
    rmSync(half, { force: true });
    throw new Fault('FILE_UNWRITABLE', `${file} cannot be written: ${errorMessage(error)}`);
  }
}
