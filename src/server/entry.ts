import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MasterOptions, RunningMaster } from '../contract/process.ts';
import { Fault } from '../lib/fault.ts';
import { buildMaster } from './index.ts';

/** Starts a master in this process. Throws a `Fault` with the remedy. */
export async function startMaster(options: MasterOptions): Promise<RunningMaster> {
  if (options.store !== 'sqlite') throw new Fault('USAGE', `--store ${options.store.split(':')[0]} is not known to this version: it keeps its state in sqlite`);
  const folder = dirname(fileURLToPath(import.meta.url));
  const page = join(folder, '..', 'renderer');
  return buildMaster(options, { cli: join(folder, 'cli.js'), consoleFolder: existsSync(join(page, 'index.html')) ? page : null });
}
