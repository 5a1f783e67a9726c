import { QueryCache, QueryClient } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { pathTo } from '../lib/api-client.ts';
import { t } from '../lib/language.ts';
import { sessionQuery, signIn } from './api/access.ts';
import { ApiError } from '../lib/api-error.ts';
import { isGatewayError, needsSignIn } from './api/client.ts';
import { isMasterAnswering } from './api/probe.ts';
import { App } from './App.tsx';
import { createShortcutRegistry } from './keyboard/shortcut-registry.ts';
import { makeRouter } from './router.tsx';
import { createIncident } from './stores/incident.ts';
import { connectTabs } from './stores/live/tab-channel.ts';
import { createLive } from './stores/live.ts';
import { notificationForEvent } from './stores/notification-for-event.ts';
import { createNotifications } from './stores/notifications.ts';
import { createSystemNotifications } from './stores/system-notifications.ts';
import { reportPageErrors } from './stores/page-errors.ts';
import type { createPreferences } from './stores/preferences.ts';
import { createRecent } from './stores/recent.ts';
import { createSession, takeSignInCode } from './stores/session.ts';
import { takeSignInFailure } from './shell/sign-in/sign-in-failures.ts';
import { shareSession } from './stores/session-tabs.ts';
import { cspNonce } from './ui/csp-nonce.ts';
import { restoreFocusOnRemoval } from './ui/restore-focus.ts';
import { sendFormsByKey } from './ui/send-form.ts';
import { recordToasts } from './ui/toasts.tsx';
import { createTicker } from './ui/settings.tsx';

/** A master that has not said for so long who is signed in may hang: whether it does is found out meanwhile. */
const UNKNOWN_MS = 2000;
/** Of reads that met no master behind a proxy: with the pauses before them they outlast a failover. */
const GATEWAY_RETRIES = 4;

/** Start of a window: make the parts, sign in by the address where it carries a code, draw, then follow the stream. */
export async function start(preferences: ReturnType<typeof createPreferences>, kept: Storage | null): Promise<void> {
  // The scroll lock of dialogs writes a style tag; its library takes the nonce from here.
  Object.assign(globalThis, { __webpack_nonce__: cspNonce() });
  reportPageErrors(window);
  const session = createSession();
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error) =>
        needsSignIn(error) &&
        session
          .getState()
          .signedOut(
            session.getState().standing === 'signed-in'
              ? t('You were signed out: the token was revoked or has expired.')
              : undefined,
          ),
    }),
    defaultOptions: {
      queries: {
        // On loopback the machine may be offline and the master still there: always ask.
        networkMode: 'always',
        staleTime: 5000,
        retry: (count, error) =>
          count < (isGatewayError(error) ? GATEWAY_RETRIES : 2) &&
          !(error instanceof ApiError && error.status >= 400 && error.status < 500),
        retryDelay: (count) => 300 * 2 ** count,
      },
      mutations: { networkMode: 'always' },
    },
  });

  const code = takeSignInCode(window.location, window.history);
  if (code !== null) {
    await signIn(code).catch((error: unknown) => {
      session.getState().signedOut(
        t('The sign-in link did not work: {value} Each link works once, for five minutes.', {
          value: error instanceof ApiError ? error.detail || error.title : String(error),
        }),
      );
    });
  }

  const refused = takeSignInFailure(window.location, window.history);
  if (refused !== null) session.getState().signedOut(refused);

  const router = makeRouter();
  const notifications = createNotifications(kept, Date.now);
  let said = 0;
  recordToasts((toast) =>
    notifications.getState().add({
      ...toast,
      id: `action:${Date.now()}:${said++}`,
      kind: 'action',
      path: window.location.pathname + window.location.search,
    }),
  );
  const systemNotifications = createSystemNotifications((href) => void router.navigate({ href }));
  const between = connectTabs();
  const live = createLive({
    client,
    url: pathTo('live.stream'),
    between,
    now: Date.now,
    hear: (event, first) => {
      if (event.event === 'operation') systemNotifications.operation(event.data, first);
      const notification = notificationForEvent(event, client.getQueryData(sessionQuery().queryKey)?.actor ?? null);
      if (notification !== null) notifications.getState().add(notification);
    },
    note: systemNotifications.alert,
    probe: isMasterAnswering,
  });
  const stores = { preferences, session, live, notifications, recent: createRecent(kept), incident: createIncident() };
  session.subscribe(({ standing }) => standing === 'signed-out' && live.stop());
  if (between !== null) shareSession(between.channel('yardmaster.session'), session, client, live.start);
  const shortcuts = createShortcutRegistry(
    () => performance.now(),
    () => preferences.getState().letterKeys,
  );
  shortcuts.listen(window);
  restoreFocusOnRemoval();
  sendFormsByKey();

  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  createRoot(root).render(
    <App stores={stores} client={client} router={router} shortcuts={shortcuts} ticker={createTicker(Date.now)} />,
  );
  fetchPagesWhenIdle(router);

  // Whoever is not signed in has no stream; signing in starts it.
  const unknown = setTimeout(live.start, UNKNOWN_MS);
  const who = await client.fetchQuery(sessionQuery()).catch(() => null);
  clearTimeout(unknown);
  if (who !== null) session.getState().signedIn();
  if (session.getState().standing !== 'signed-out') live.start();
}

/**
 * The code of every page, once the first one is drawn and seen, so that going to another waits for no file. A browser that is
 * told to save data fetches what is gone to alone.
 */
function fetchPagesWhenIdle(router: ReturnType<typeof makeRouter>): void {
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true) return;
  const pages = Object.values(router.routesById).map(
    (route) => () => (route.options.component as { preload?: () => Promise<unknown> } | undefined)?.preload?.(),
  );
  const next = () =>
    requestIdleCallback(() => void Promise.resolve(pages.shift()?.()).finally(() => pages.length > 0 && next()), {
      timeout: 5000,
    });
  const begin = () => (document.hidden ? document.addEventListener('visibilitychange', begin, { once: true }) : next());
  setTimeout(begin, 1500);
}
