import { resolve } from 'node:path';
import { fileKindOf } from '../../contract/desktop.ts';
import { CONSOLE_SCHEME } from '../../contract/ipc.ts';

/** What a start of the app asks to open. */
export interface Asked {
  links: string[];
  files: string[];
  /** Started at login: no window. */
  hidden: boolean;
}

/** Reads the command line up to `--`, after which the options of the local master stand. */
export function askedBy(argv: readonly string[], folder: string): Asked {
  const end = argv.indexOf('--');
  const words = argv.slice(1, end < 0 ? undefined : end);
  return {
    links: words.filter((word) => word.toLowerCase().startsWith(`${CONSOLE_SCHEME}://`)),
    files: words.filter((word) => !word.startsWith('-') && fileKindOf(word) !== null).map((word) => resolve(folder, word)),
    hidden: words.includes('--hidden'),
  };
}
