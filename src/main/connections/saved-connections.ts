import { copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Value } from 'typebox/value';
import { LOCAL_CONNECTION } from '../../contract/ipc.ts';
import type { Via } from '../../contract/tunnels.ts';
import { errorCode } from '../../lib/errors.ts';
import { parseMasterOrigin } from './master-address.ts';
import type { StoredToken } from './token-storage.ts';
import { ViaShape } from './via-shape.ts';

export interface Remote {
  id: string;
  name: string;
  /** Empty: a release in Kubernetes, which tells. */
  url: string;
  /** Absent in files of earlier versions, and where there are none. */
  others?: string[];
  /** Absent in files of earlier versions. */
  via?: Via | null;
  colour: string | null;
  /** Both absent in files of earlier versions. */
  production?: boolean;
  readOnly?: boolean;
  ca?: string | null;
  proxy?: string;
  secret: StoredToken | null;
}
export interface Saved {
  version: 1;
  selected: string;
  remotes: Remote[];
  /** Digests of the commands that may be run for credentials. */
  commands?: string[];
}

/**
 * What was kept. Where some of it cannot be read, the app starts with the rest, says so, and keeps the file beside the new one:
 * the next change would overwrite it.
 */
export function readConnections(file: string): { saved: Saved; damage: string | null } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    // First start.
    return { saved: empty(), damage: errorCode(error) === 'ENOENT' ? null : keepAside(file, 0) };
  }
  try {
    const { version, selected, remotes, commands }: Partial<Saved> = JSON.parse(text);
    if (version !== 1 || !Array.isArray(remotes)) return { saved: empty(), damage: keepAside(file, 0) };
    const whole = remotes.filter(isWhole);
    return {
      saved: {
        version,
        selected: whole.find(({ id }) => id === selected)?.id ?? LOCAL_CONNECTION,
        remotes: whole,
        commands: Array.isArray(commands) ? commands.filter((one) => typeof one === 'string') : [],
      },
      damage: whole.length < remotes.length ? keepAside(file, whole.length) : null,
    };
  } catch {
    return { saved: empty(), damage: keepAside(file, 0) };
  }
}

const empty = (): Saved => ({ version: 1, selected: LOCAL_CONNECTION, remotes: [] });

function keepAside(file: string, usable: number): string {
  const aside = `${file}.damaged`;
  const some = usable === 0 ? 'the saved connections' : 'some of the saved connections';
  try {
    copyFileSync(file, aside);
    return `${some} in ${file} could not be read: the file is damaged, or of a newer version. It was copied to ${aside}; add the missing connections again`;
  } catch {
    return `${some} in ${file} could not be read: check the file and its permissions, or add the connections again`;
  }
}

/** A connection that somebody wrote into the file by hand, and wrongly, must not keep the app from starting. */
function isWhole(remote: Partial<Remote> | null): boolean {
  try {
    return (
      remote !== null &&
      typeof remote.id === 'string' &&
      /^[a-z0-9]{1,64}$/.test(remote.id) &&
      remote.id !== LOCAL_CONNECTION &&
      typeof remote.name === 'string' &&
      Value.Check(ViaShape, remote.via ?? null) &&
      (remote.via?.kind === 'kubernetes' ? remote.url === '' : parseMasterOrigin(remote.url ?? '') === remote.url) &&
      (remote.others === undefined ||
        (Array.isArray(remote.others) && remote.others.every((other) => parseMasterOrigin(other) === other)))
    );
  } catch {
    return false;
  }
}

/** Whole or not at all, readable by its owner alone. */
export function writeConnections(file: string, saved: Saved): void {
  mkdirSync(dirname(file), { recursive: true });
  const half = `${file}.${process.pid}.tmp`;
  writeFileSync(half, `${JSON.stringify(saved, null, 2)}\n`, { mode: 0o600 });
  renameSync(half, file);
}
