import { lazy, Suspense, useCallback, useEffect } from 'react';
import { Outlet, useLocation, useRouter } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from './api/access.ts';
import { RunningOperations } from './features/operations/RunningOperations.tsx';
import { Frame } from './shell/frame/Frame.tsx';
import { IncompatibleVersion } from './shell/frame/IncompatibleVersion.tsx';
import { OpenedFiles } from './features/opened-files/OpenedFiles.tsx';
import { NoGrants } from './shell/sign-in/NoGrants.tsx';
import { useSession } from './stores/context.tsx';
import { connectionsQuery, useShellEvent, useShellState } from './stores/desktop.ts';
import { fetchWhenIdle } from './ui/fetch-when-idle.ts';

const loadSignInPage = () => import('./shell/sign-in/SignInPage.tsx').then((file) => ({ default: file.SignInPage }));
const SignInPage = lazy(loadSignInPage);

/** The frame with its page, or the sign-in page while the master asks for a token. The address stays, so signing in lands where it led. */
export function Root() {
  const standing = useSession((s) => s.standing);
  // A bundle needs no master, so it needs no frame that asks one and no sign-in.
  const alone = useLocation({ select: ({ pathname }) => pathname === '/incident' });
  const { data: connections } = useQuery(connectionsQuery());
  const { data: who } = useQuery(sessionQuery());
  const router = useRouter();
  useShellState();
  useEffect(() => fetchWhenIdle(loadSignInPage), []);
  // Also where no frame is: menu, tray and links lead away from there too.
  useShellEvent(
    'menu:go',
    useCallback(({ path }) => void router.navigate({ href: path }), [router]),
  );
  const unfit = connections?.find(({ selected, skew }) => selected && skew === 'unsafe');
  return (
    <>
      {alone ? (
        <Outlet />
      ) : unfit ? (
        <IncompatibleVersion connection={unfit} />
      ) : standing === 'signed-out' ? (
        <Suspense>
          <SignInPage />
        </Suspense>
      ) : who?.user?.hasGrants === false ? (
        <NoGrants name={who.user.name} />
      ) : (
        <Frame operations={<RunningOperations />} />
      )}
      <OpenedFiles />
    </>
  );
}
