import { Frame } from './parts/frame/Frame.tsx';
import { SignInPage } from './pages/sign-in/SignInPage.tsx';
import { useSession } from './stores/context.tsx';

/** The frame with its page, or the sign-in page while the master asks for a token. The address stays, so signing in lands where it led. */
export function Root() {
  const standing = useSession((s) => s.standing);
  return standing === 'signed-out' ? <SignInPage /> : <Frame />;
}
