import { type BrowserWindow, dialog } from 'electron';
import { t, tn } from '../../lib/language.ts';
import type { CloseChoice } from './close-policy.ts';

const CHOICES = ['tray', 'quit', 'stay'] as const;

/** Asks in a window of the system, which also shows where the page does not answer. `running`: null where it is not known. */
export async function showCloseDialog(window: BrowserWindow | null, running: number | null): Promise<CloseChoice> {
  const question = {
    type: 'question' as const,
    title: 'Yardmaster',
    message:
      running === null
        ? t('Jobs may be running on this machine')
        : tn('{count} job is running on this machine', '{count} jobs are running on this machine', running),
    detail: t(
      'Yardmaster can keep running in the tray and finish them. If you quit, running tasks finish first and the rest continues at the next start.',
    ),
    buttons: [t('Keep running in the tray'), t('Quit'), t('Cancel')],
    defaultId: 0,
    cancelId: 2,
    checkboxLabel: t('Do not ask again'),
    noLink: true,
  };
  const { response, checkboxChecked } = await (window
    ? dialog.showMessageBox(window, question)
    : dialog.showMessageBox(question));
  return { choice: CHOICES[response] ?? 'stay', remember: checkboxChecked };
}
