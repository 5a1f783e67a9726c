import { LIMITS } from '../../contract/limits.ts';
import { systemClock } from '../../lib/clock.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';
import type { Access } from '../access/port.ts';
import { openLogListener } from '../listeners/log-listener.ts';
import { createLogs } from './logs.ts';
import type { Logs } from './port.ts';

/** Log stores for tests: the embedded one, a second master's over HTTP, and a VictoriaLogs where one is named. */
export const REAL = process.env['YARDMASTER_TEST_VICTORIALOGS'] ?? null;
export const BACKENDS = ['embedded', 'another master', ...(REAL === null ? [] : ['VictoriaLogs'])] as const;

export interface Opened {
  readonly logs: Logs;
  /** Base address of the store elsewhere; null: there is none. */
  readonly url: string | null;
  readonly lines: readonly string[];
  close(): Promise<void>;
}

/** On loopback nobody needs a token. */
const access = { token: () => null, onCredentialEnded: () => () => undefined } as unknown as Access;

export async function openEmbedded(): Promise<Logs> {
  return createLogs({ folder: temporaryFolder('backend'), limits: LIMITS, clock: systemClock });
}

/** The port of a log store, as a second master has it. */
export async function serveLogs(logs: Logs): Promise<{ url: string; close(): Promise<void> }> {
  const listener = await openLogListener({
    options: {
      host: '127.0.0.1',
      logStorePort: 0,
      allowedHosts: [],
      proxies: null,
      protectLoopback: false,
      log: () => {},
    },
    tls: null,
    access,
    logs,
    limits: LIMITS,
    clock: systemClock,
    onError: (error) => {
      throw error;
    },
  });
  return { url: listener.innerUrl, close: listener.close };
}

/** A store elsewhere at this address. */
export async function openRemote(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ logs: Logs; lines: string[] }> {
  const lines: string[] = [];
  const target = { url, headers, ca: null };
  const logs = await createLogs({
    folder: temporaryFolder('backend'),
    limits: LIMITS,
    clock: systemClock,
    remote: { select: target, insert: target },
    log: (line) => lines.push(line),
  });
  return { logs, lines };
}

export async function openBackend(kind: string): Promise<Opened> {
  if (kind === 'embedded') {
    const logs = await openEmbedded();
    return { logs, url: null, lines: [], close: logs.close };
  }
  if (kind === 'VictoriaLogs') {
    const { logs, lines } = await openRemote(REAL ?? '');
    return { logs, url: REAL, lines, close: logs.close };
  }
  const other = await openEmbedded();
  const served = await serveLogs(other);
  const { logs, lines } = await openRemote(served.url);
  return {
    logs,
    url: served.url,
    lines,
    async close() {
      await logs.close();
      await served.close();
      await other.close();
    },
  };
}
