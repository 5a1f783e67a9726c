import { app } from 'electron';
import type { Openings } from '../openings.ts';
import { askedBy } from './arguments.ts';

/** What a second start hands over. Chromium sorts a command line on its way; this one is as it was typed. */
interface Handed {
  argv?: unknown;
  folder?: unknown;
}

/** Takes what the system and further starts of the app want opened. To be called before the app is ready. */
export function listenForOpenings({ openings, show }: { openings: Pick<Openings, 'openLink' | 'openFile' | 'openAll'>; show(): void }): void {
  app.on('second-instance', (_event, argv, folder, data) => {
    const handed = (data ?? {}) as Handed;
    const words = Array.isArray(handed.argv) && handed.argv.every((word) => typeof word === 'string') ? handed.argv : argv;
    const asked = askedBy(words, typeof handed.folder === 'string' ? handed.folder : folder);
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
