import { useEffect } from 'react';
import type { EditorSession } from '../draft/session.ts';

/** Milliseconds after a key press until the draft is written. */
const KEEP_AFTER = 300;

/** Begins the session with the newest version once that is read, and keeps its draft in the browser while it is changed. */
export function useDraftStorage(
  session: EditorSession,
  text: string,
  headText: string | null,
  head: string | null,
): void {
  useEffect(() => {
    if (headText !== null) session.begin(headText, head);
  }, [session, headText, head]);
  useEffect(() => {
    const timer = setTimeout(session.keep, KEEP_AFTER);
    return () => clearTimeout(timer);
  }, [session, text]);
  useEffect(() => {
    window.addEventListener('pagehide', session.keep);
    return () => {
      window.removeEventListener('pagehide', session.keep);
      session.keep();
    };
  }, [session]);
}
