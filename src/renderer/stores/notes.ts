import type { AlertEvent } from '../../contract/api-alerts.ts';
import { askShell, desktop } from './desktop.ts';

type Note = Extract<AlertEvent, { kind: 'notification' }>;

/** Longest text of a note: systems cut what is longer, each in its own way. */
const MOST = 300;
/** A stream that resumes may tell again what was told. */
const KNOWN = 100;

/** Shows the notes of the desktop channel: by the desktop app, or by the browser where that is allowed. Pressing one opens the alerts. */
export function createNotes(open: (path: string) => void) {
  const shown: string[] = [];
  return function show({ id, title, message }: Note): void {
    if (shown.includes(id)) return;
    shown.push(id);
    if (shown.length > KNOWN) shown.shift();
    const body = message.slice(0, MOST);
    if (desktop()) return void askShell('app:notify', { title: title.slice(0, MOST), body, path: '/alerts' }).catch(() => undefined);
    if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
    const note = new Notification(title, { body, tag: id, icon: '/icon.svg' });
    note.addEventListener('click', () => {
      window.focus();
      open('/alerts');
    });
  };
}
