import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives this process, and those it starts, a folder of their own for temporary files, which goes with it: tests and
 * what they start leave thousands of folders, also where they are killed. The name is short, as sockets lie below it.
 */
export function ownTemporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'ym-test-'));
  // A PostgreSQL that root starts runs as another user, which must get to its own folder below.
  if (process.getuid?.() === 0) chmodSync(folder, 0o711);
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  process.on('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // Something still holds a file in it. The tests have said what they had to.
    }
  });
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])
    process.once(signal, () => process.exit(code));
  return folder;
}
