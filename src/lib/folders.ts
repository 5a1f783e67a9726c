import { homedir } from 'node:os';
import { mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Where a local master keeps its data unless told: the system's own place for it. `YARDMASTER_DATA` overrides. */
export function defaultDataFolder(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  if (env['YARDMASTER_DATA']) return env['YARDMASTER_DATA'];
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Yardmaster');
  if (platform === 'win32') return join(env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'Yardmaster');
  return join(env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'yardmaster');
}

/** Makes a folder and those above it that are missing, one by one: Node's own recursive way never ends where the system denies that a folder exists which it will not make (`/proc/x`). */
export function makeFolder(folder: string, mode = 0o700): void {
  const missing: string[] = [];
  for (let at = resolve(folder); statSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at))
    missing.unshift(at);
  for (const one of missing) mkdirSync(one, { mode });
}
