import { BrowserWindow, dialog } from 'electron';
import { t } from '../../lib/language.ts';

/** Asks in a window of the system, which no page can press. The safe answer is the one that Enter and Escape give. */
export async function confirm(question: string, detail: string): Promise<boolean> {
  const asked = { type: 'warning' as const, message: question, detail, buttons: [t('Keep it read-only'), t('Allow changes')], defaultId: 0, cancelId: 0, noLink: true };
  const [window] = BrowserWindow.getAllWindows();
  const { response } = await (window ? dialog.showMessageBox(window, asked) : dialog.showMessageBox(asked));
  return response === 1;
}
