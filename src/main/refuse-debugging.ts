/**
 * Switches of Chromium and Node by which another program gets into the app, or its page out of its walls: whoever can make
 * somebody start a link or a shortcut with one would have the connections and their tokens. An installed app does not start with them.
 */
const REFUSED: ReadonlySet<string> = new Set([
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'remote-allow-origins',
  'inspect',
  'inspect-brk',
  'inspect-port',
  'inspect-wait',
  'inspect-publish-uid',
  'debug-port',
  'js-flags',
  'load-extension',
  'disable-web-security',
  'allow-file-access-from-files',
  'disable-site-isolation-trials',
  'ignore-certificate-errors',
  'ignore-certificate-errors-spki-list',
  'host-rules',
  'host-resolver-rules',
  'renderer-cmd-prefix',
  'utility-cmd-prefix',
  'gpu-launcher',
  'user-data-dir',
  'log-net-log',
  'ssl-key-log-file',
]);

/** The first switch that an installed app refuses; null: none. What stands behind `--` is for the master. */
export function refusedSwitch(argv: readonly string[]): string | null {
  for (const word of argv.slice(1)) {
    if (word === '--') return null;
    // Chromium takes one dash, two, and on Windows a slash, in any case.
    const name = /^(?:--?|\/)([A-Za-z][A-Za-z0-9-]*)(?:=|$)/.exec(word)?.[1]?.toLowerCase();
    if (name !== undefined && REFUSED.has(name)) return word.split('=', 1)[0] ?? word;
  }
  return null;
}
