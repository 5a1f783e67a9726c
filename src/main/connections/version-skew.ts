import type { VersionSkew } from '../../contract/desktop.ts';

const VERSION = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:[-+].*)?$/;

/**
 * A master's version against the app's. They work together within a line: the same major version, or, before 1.0.0, the same
 * minor one. What is no version, is none that this app understands.
 */
export function versionSkew(app: string, master: string): VersionSkew {
  const ours = VERSION.exec(app);
  const theirs = VERSION.exec(master);
  if (!ours || !theirs) return app === master ? 'same' : 'unsafe';
  const line = Number(ours[1]) > 0 ? 1 : 2;
  for (let at = 1; at <= 3; at++) {
    const difference = Number(theirs[at]) - Number(ours[at]);
    if (difference === 0) continue;
    if (at <= line) return 'unsafe';
    return difference < 0 ? 'older' : 'newer';
  }
  return 'same';
}

/** What to do about an unsafe pair. */
export function unsafeVersionMessage(app: string, master: string): string {
  const [, major = '', minor = ''] = VERSION.exec(master) ?? [];
  const line = major === '0' ? `0.${minor}` : major;
  return line === ''
    ? `the master reports version "${master}", which this app (${app}) does not know: update the app`
    : `the master is version ${master}, this app ${app}: they use different APIs. Use an app of version ${line}.x, open the master's own console in a browser, or update the master`;
}
