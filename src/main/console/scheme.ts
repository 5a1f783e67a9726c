import { protocol } from 'electron';
import { CONSOLE_SCHEME, LOCAL_CONNECTION } from '../../contract/ipc.ts';
import type { Target } from '../connections/connections.ts';
import { problemResponse } from './problem.ts';
import type { MasterVersion } from '../connections/master-versions.ts';
import { forward } from './forward.ts';
import { isMasterPath } from './master-paths.ts';
import { serveStaticFile } from './static-file.ts';

/** Before the app is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: CONSOLE_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ]);
}

export interface ConsoleParts {
  /** Where the bundle is. */
  folder: string;
  /** Null: an unknown connection; or why it cannot be reached now. */
  target(connection: string): Target | Unavailable | null;
  /** Waits a while for a master or a tunnel that is just starting: the first page is drawn as soon as it serves, not at the end of a pause after a refusal. */
  started(connection: string): Promise<void>;
  fetch(target: Target, url: string, init: RequestInit): Promise<Response>;
  /** Version of the master; null: it does not tell. */
  version(target: Target): Promise<MasterVersion | null>;
  /** What to do about a master of that version. */
  unsafeWords(version: string): string;
}

/** Why a connection cannot be used now. */
export interface Unavailable {
  unavailable: string;
  /** The way to the master is missing, not its token. */
  tunnel?: true;
}

/** Answers for `yardmaster://<connection>/`. A master that speaks another API than this console is handed nothing. */
export function serveConsole({ folder, target, started, fetch, version, unsafeWords }: ConsoleParts): void {
  protocol.handle(CONSOLE_SCHEME, async (request) => {
    const { hostname, pathname } = new URL(request.url);
    if (isMasterPath(pathname)) await started(hostname);
    const to = target(hostname);
    if (to === null)
      return problemResponse(404, 'CONNECTION_NOT_FOUND', 'Connection not found', `connection "${hostname}" not found`);
    if (!isMasterPath(pathname)) return serveStaticFile(folder, pathname);
    if ('unavailable' in to)
      return hostname === LOCAL_CONNECTION
        ? problemResponse(503, 'MASTER_NOT_RUNNING', 'The master is not running', to.unavailable)
        : to.tunnel
          ? problemResponse(503, 'TUNNEL_CLOSED', 'The tunnel to the master is not open', to.unavailable)
          : problemResponse(503, 'TOKEN_UNKNOWN', 'The token of this connection is missing', to.unavailable);
    const pair = await version(to);
    if (pair?.skew === 'unsafe')
      return problemResponse(
        409,
        'VERSION_UNSAFE',
        'This app and the master are incompatible',
        unsafeWords(pair.version),
      );
    return forward(request, to, (url, init) => fetch(to, url, init));
  });
}
