import type { Server } from 'node:net';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { errorCode } from './errors.ts';
import { Fault } from './fault.ts';

/** How many ports after a taken default are tried. */
const TRIED = 100;

export interface PortRequest {
  /** A number: exactly that one (0: any free one). Null: the default, or the next free one. */
  port: number | null;
  default: number;
  /** What listens, for messages: "the master", "the log pipeline". */
  what: string;
  /** The option that names another port, such as `--port`. */
  option: string;
}

/**
 * Listens by the rule for ports: a port given explicitly and taken is a `Fault` PORT_TAKEN that names it
 * and, where the system tells, its holder; a default port that is taken moves to the next free one and says so.
 * Returns the port in use.
 */
export async function listenOnPort(
  wish: PortRequest,
  listen: (port: number) => Promise<number>,
  log: (line: string) => void,
): Promise<number> {
  const first = wish.port ?? wish.default;
  for (let port = first; ; port++) {
    try {
      const got = await listen(port);
      if (port !== first)
        log(`port ${first} is in use${holderText(first)}; ${wish.what} listens on port ${got} instead`);
      return got;
    } catch (error) {
      const code = errorCode(error);
      if (code === 'EADDRINUSE' && wish.port === null && port < first + TRIED) continue;
      if (code === 'EADDRINUSE')
        throw new Fault(
          'PORT_TAKEN',
          `port ${port} for ${wish.what} is in use${holderText(port)}: stop the program that uses it, or set another port with ${wish.option}`,
          { cause: error },
        );
      if (code === 'EACCES')
        throw new Fault(
          'PORT_REFUSED',
          `the system does not allow ${wish.what} to listen on port ${port}: set a port above 1023 with ${wish.option}`,
          { cause: error },
        );
      throw error;
    }
  }
}

/** The port of a server that listens by TCP. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port');
  return address.port;
}

function holderText(port: number): string {
  const holder = findPortHolder(port);
  return holder ? ` by ${holder}` : '';
}

/** "node (process 4711)" where the system tells who listens on a port (Linux, own processes); else null. */
export function findPortHolder(port: number): string | null {
  try {
    const inodes = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => listening(file, port)));
    if (inodes.size === 0) return null;
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      if (descriptors(pid).some((link) => inodes.has(link))) return `${commandLine(pid)} (process ${pid})`;
    }
  } catch {
    // Not Linux, or not allowed to look: the port number alone must do.
  }
  return null;
}

/** The program and what it was told to do, shortened; threads name themselves, so the name alone says little. */
function commandLine(pid: string): string {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    .split('\0')
    .filter((word) => word !== '')
    .map((word) => (word.startsWith('/') ? word.slice(word.lastIndexOf('/') + 1) : word));
  // What it runs says more than the options that a runtime is given before it.
  const run = words.findIndex((word, at) => at > 0 && !word.startsWith('-'));
  return (
    [...words.slice(0, 1), ...words.slice(run < 0 ? 1 : run)].slice(0, 3).join(' ').slice(0, 60) ||
    readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  );
}

function listening(file: string, port: number): string[] {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(`:${hex}`) && fields[3] === '0A')
    .map((fields) => `socket:[${fields[9]}]`);
}

function descriptors(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}
