import type { QueryClient } from '@tanstack/react-query';
import type { StoreApi } from 'zustand/vanilla';
import { sessionQuery } from '../api/access.ts';
import type { SessionState } from './session.ts';

/**
 * Who signs in or out in one page does so in all that are open: they share the cookie. A page that hears of it asks the master who it
 * is now; somebody else than before sees nothing of what was read before.
 */
export function shareSession(
  channel: Pick<BroadcastChannel, 'postMessage' | 'onmessage'>,
  session: StoreApi<SessionState>,
  client: QueryClient,
  follow: () => void,
): void {
  let hearing = false;
  session.subscribe(({ standing }, before) => {
    if (!hearing && standing !== before.standing && (standing === 'signed-out' || before.standing === 'signed-out'))
      channel.postMessage('changed');
  });
  channel.onmessage = async () => {
    const before = client.getQueryData(sessionQuery().queryKey);
    // Without a session, this says so to the page as any other read does.
    const now = await client.fetchQuery({ ...sessionQuery(), staleTime: 0, retry: false }).catch(() => null);
    if (now === null) return;
    const out = session.getState().standing === 'signed-out';
    if (out || (before !== undefined && before.actor !== now.actor)) await client.resetQueries();
    if (!out) return;
    hearing = true;
    session.getState().signedIn();
    hearing = false;
    follow();
  };
}
