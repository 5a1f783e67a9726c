import { app } from 'electron';
import { isRecord } from '../../lib/is-record.ts';
import type { Navigation } from '../navigation.ts';
import type { QuitState } from '../quit.ts';
import { parseCommandLine } from './command-line.ts';

export interface OpenRequestDeps {
  navigation: Pick<Navigation, 'openLink' | 'openFile' | 'openAll'>;
  show(): void;
  quitState: QuitState;
}

/** Takes what the system and further starts of the app want opened. To be called before the app is ready. */
export function listenForOpenRequests({ navigation, show, quitState }: OpenRequestDeps): void {
  // What a second start hands over itself is as it was typed: Chromium sorts a command line on its way.
  app.on('second-instance', (_event, argv, folder, data) => {
    const { argv: typed, folder: here } = isRecord(data) ? data : {};
    const words = Array.isArray(typed) && typed.every((word) => typeof word === 'string') ? typed : argv;
    const at = typeof here === 'string' ? here : folder;
    // A start that finds the app on its way out wants it back.
    if (quitState.relaunch(words.slice(1), at)) return;
    const commandLine = parseCommandLine(words, at);
    if (!commandLine.hidden) show();
    navigation.openAll(commandLine);
  });
  // macOS
  app.on('open-url', (event, url) => {
    event.preventDefault();
    void app.whenReady().then(() => navigation.openLink(url));
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    void app.whenReady().then(() => navigation.openFile(path));
  });
}
