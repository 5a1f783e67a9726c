import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';

/** A command that writes its environment to `seen` as JSON, whole or not at all, and ends with its standard input. */
export function recordingWorker(): { cli: string; seen: string } {
  const folder = temporaryFolder('recording-worker');
  const cli = join(folder, 'cli.mjs');
  const seen = join(folder, 'seen.json');
  writeFileSync(
    cli,
    `import { renameSync, writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(`${seen}.part`)}, JSON.stringify(process.env));
renameSync(${JSON.stringify(`${seen}.part`)}, ${JSON.stringify(seen)});
process.stdin.on('end', () => process.exit()).resume();`,
  );
  return { cli, seen };
}
