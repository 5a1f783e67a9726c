import type { AlertEvent } from '../../contract/alerts.ts';
import type { Operation } from '../../contract/operations.ts';
import { t, tn } from '../../lib/language.ts';
import { callShell, desktop } from './desktop.ts';

type Note = Extract<AlertEvent, { kind: 'notification' }>;

/** Longest text of a note: systems cut what is longer, each in its own way. */
const MOST = 300;
/** A stream that resumes may tell again what was told. */
const KNOWN = 100;

/** Shows notes by the desktop app, or by the browser where that is allowed. Pressing one opens what it speaks of. */
export function createSystemNotifications(open: (path: string) => void) {
  const shown: string[] = [];
  /** Bulk work that was seen running by this window: what ended before is no news. */
  const running = new Set<string>();

  function show(
    kind: 'alert' | 'bulk',
    id: string,
    title: string,
    message: string,
    path: string,
    first: boolean,
  ): void {
    if (shown.includes(id)) return;
    shown.push(id);
    if (shown.length > KNOWN) shown.shift();
    if (!first) return;
    const body = message.slice(0, MOST);
    if (desktop())
      return void callShell('app:notify', { kind, title: title.slice(0, MOST), body, path }).catch(() => undefined);
    if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
    const note = new Notification(title, { body, tag: id, icon: '/icon.svg' });
    note.addEventListener('click', () => {
      window.focus();
      open(path);
    });
  }

  return {
    /** Of the desktop channel of alerts. `first`: of all pages that are open, this one shows it. */
    alert: ({ id, title, message }: Note, first: boolean): void => show('alert', id, title, message, '/alerts', first),
    /** Bulk work that ended while the user looked elsewhere. */
    operation({ operationId, status, done, failed }: Operation, first: boolean): void {
      if (status === 'RUNNING') {
        if (running.size >= KNOWN) running.clear();
        running.add(operationId);
        return;
      }
      if (!running.delete(operationId) || document.hasFocus()) return;
      const message = [
        tn('{count} succeeded', '{count} succeeded', done),
        ...(failed > 0 ? [tn('{count} failed', '{count} failed', failed)] : []),
      ].join(', ');
      show(
        'bulk',
        operationId,
        status === 'ABORTED' ? t('Operation stopped') : t('Operation finished'),
        message,
        `/operations?operation=${operationId}`,
        first,
      );
    },
  };
}
