import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where a local master keeps its data unless told: the system's own place for it. `YARDMASTER_DATA` overrides. */
export function defaultDataFolder(env: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): string {
  if (env['YARDMASTER_DATA']) return env['YARDMASTER_DATA'];
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Yardmaster');
  if (platform === 'win32') return join(env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'Yardmaster');
  return join(env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'yardmaster');
}
