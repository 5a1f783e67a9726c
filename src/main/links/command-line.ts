import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileKindForName } from '../../contract/desktop.ts';
import { CONSOLE_SCHEME } from '../../contract/ipc.ts';

/** What a start of the app asks to open. */
export interface CommandLine {
  links: string[];
  files: string[];
  /** Started at login: no window. */
  hidden: boolean;
}

/** Reads the command line up to `--`, after which the options of the local master stand. */
export function parseCommandLine(argv: readonly string[], folder: string): CommandLine {
  const end = argv.indexOf('--');
  const words = argv.slice(1, end < 0 ? undefined : end);
  return {
    links: words.filter((word) => word.toLowerCase().startsWith(`${CONSOLE_SCHEME}://`)),
    files: words
      .filter((word) => !word.startsWith('-') && fileKindForName(word) !== null)
      .map((word) => filePath(word, folder))
      .filter((path) => path !== null),
    hidden: words.includes('--hidden'),
  };
}

const FILE_ADDRESS = /^file:/i;

/** Desktops of Linux hand over what was opened as an address (`file:///home/ada/night%201.yardmaster-incident`), a shell as a path. Null: a file of another machine, or none. */
function filePath(word: string, folder: string): string | null {
  if (!FILE_ADDRESS.test(word)) return resolve(folder, word);
  try {
    const url = new URL(word);
    return url.hostname === '' ? fileURLToPath(url) : null;
  } catch {
    return null;
  }
}
