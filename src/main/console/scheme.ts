import { net, protocol } from 'electron';
import { CONSOLE_SCHEME } from '../../contract/ipc.ts';
import type { Target } from '../connections/store.ts';
import { problem } from './answer.ts';
import { forward, type Fetch } from './forward.ts';
import { staticAnswer } from './static.ts';

/** What the master answers itself; all else is the console. */
const MASTER_PATHS = /^\/(api|docs|metrics|healthz|readyz)(\/|$)/;

/** Before the app is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: CONSOLE_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } }]);
}

/** Answers for `yardmaster://<connection>/`. `target` gives null for an unknown connection, or why it cannot be reached now. */
export function serveConsole(folder: string, target: (connection: string) => Target | { unavailable: string } | null): void {
  const fetch: Fetch = (url, init) => net.fetch(url, { ...init, bypassCustomProtocolHandlers: true } as Parameters<typeof net.fetch>[1]);
  protocol.handle(CONSOLE_SCHEME, async (request) => {
    const { hostname, pathname } = new URL(request.url);
    const to = target(hostname);
    if (to === null) return problem(404, 'CONNECTION_NOT_FOUND', 'No such connection', `there is no connection "${hostname}"`);
    if (!MASTER_PATHS.test(pathname)) return staticAnswer(folder, pathname);
    if ('unavailable' in to) return problem(503, 'MASTER_NOT_RUNNING', 'The master is not running', to.unavailable);
    return forward(request, to, fetch);
  });
}
