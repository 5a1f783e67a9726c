import { callShell, desktop } from './desktop.ts';

/** Hands errors that nobody caught in the page to the desktop app, which keeps them on this machine. Nothing in a browser. */
export function reportPageErrors(window: Window): void {
  if (!desktop()) return;
  const tell = (message: string, stack: unknown) =>
    void callShell('reports:add', {
      message: message.slice(0, 2000),
      stack: typeof stack === 'string' ? stack.slice(0, 20_000) : '',
      path: window.location.pathname.slice(0, 4000),
    }).catch(() => undefined);
  window.addEventListener('error', ({ message, error }) => {
    // A loop of size observers that settles in the next frame: browsers report it, nothing is wrong.
    if (!message.startsWith('ResizeObserver')) tell(message, error instanceof Error ? error.stack : undefined);
  });
  window.addEventListener('unhandledrejection', ({ reason }) => {
    const { message, stack, name }: Partial<Error> = reason ?? {};
    // An aborted request is how a page leaves.
    if (name !== 'AbortError') tell(message ?? String(reason), stack);
  });
}
