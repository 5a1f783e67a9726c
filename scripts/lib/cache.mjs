import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where big downloads are kept between clones. `YARDMASTER_CACHE` overrides. */
export function cacheFolder(env = process.env, platform = process.platform) {
  if (env.YARDMASTER_CACHE) return env.YARDMASTER_CACHE;
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'yardmaster');
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'yardmaster', 'cache');
  return join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'yardmaster');
}
