import { app } from 'electron';
import type { Openings } from '../navigation.ts';
import type { Leaving } from '../quit.ts';
import { askedBy } from './command-line.ts';

/** What a second start hands over. Chromium sorts a command line on its way; this one is as it was typed. */
interface Handed {
  argv?: unknown;
  folder?: unknown;
}

export interface ListenParts {
  openings: Pick<Openings, 'openLink' | 'openFile' | 'openAll'>;
  show(): void;
  leaving: Leaving;
}

/** Takes what the system and further starts of the app want opened. To be called before the app is ready. */
export function listenForOpenings({ openings, show, leaving }: ListenParts): void {
  app.on('second-instance', (_event, argv, folder, data) => {
    const handed = (data ?? {}) as Handed;
    const words =
      Array.isArray(handed.argv) && handed.argv.every((word) => typeof word === 'string') ? handed.argv : argv;
    const at = typeof handed.folder === 'string' ? handed.folder : folder;
    // A start that finds the app on its way out wants it back.
    if (leaving.startAgain(words.slice(1), at)) return;
    const asked = askedBy(words, at);
    if (!asked.hidden) show();
    openings.openAll(asked);
  });
  // macOS
  app.on('open-url', (event, url) => {
    event.preventDefault();
    void app.whenReady().then(() => openings.openLink(url));
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    void app.whenReady().then(() => openings.openFile(path));
  });
}
