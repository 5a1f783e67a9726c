import { BrowserWindow, dialog } from 'electron';

/** A question to the person at the machine. */
export interface Question {
  question: string;
  detail: string;
  /** The safe answer, which Enter and Escape give. */
  keep: string;
  allow: string;
}

export type Confirm = (asked: Question) => Promise<boolean>;

/** Asks in a window of the system, which no page can press. */
export const showConfirmDialog: Confirm = async ({ question, detail, keep, allow }) => {
  const asked = {
    type: 'warning' as const,
    title: 'Yardmaster',
    message: question,
    detail,
    buttons: [keep, allow],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  };
  const [window] = BrowserWindow.getAllWindows();
  const { response } = await (window ? dialog.showMessageBox(window, asked) : dialog.showMessageBox(asked));
  return response === 1;
};
