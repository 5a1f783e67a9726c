import { Outlet, useLocation } from '@tanstack/react-router';
import { Frame } from './parts/frame/Frame.tsx';
import { DropAnywhere } from './parts/incident/DropAnywhere.tsx';
import { SignInPage } from './pages/sign-in/SignInPage.tsx';
import { useSession } from './stores/context.tsx';

/** The frame with its page, or the sign-in page while the master asks for a token. The address stays, so signing in lands where it led. */
export function Root() {
  const standing = useSession((s) => s.standing);
  // A bundle needs no master, so it needs no frame that asks one and no sign-in.
  const alone = useLocation({ select: ({ pathname }) => pathname === '/incident' });
  return (
    <>
      {alone ? <Outlet /> : standing === 'signed-out' ? <SignInPage /> : <Frame />}
      <DropAnywhere />
    </>
  );
}
