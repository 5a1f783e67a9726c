import { NODE_ENVIRONMENT, NODE_FLAGS } from '../contract/process.ts';

/** How this process was started, as Node says it. */
export type Started = Pick<NodeJS.Process, 'execPath' | 'execArgv' | 'argv' | 'env'>;

/** What a process is to be started with that was started otherwise; null: it has all flags, or was told others. */
export function otherStart({
  execPath,
  execArgv,
  argv,
  env,
}: Started): { args: string[]; env: NodeJS.ProcessEnv } | null {
  const given = [...execArgv, ...(env['NODE_OPTIONS'] ?? '').split(/\s+/)];
  const isGiven = (flag: string) => given.some((one) => one === flag || one.startsWith(`${flag.split('=', 1)[0]}=`));
  const missing = NODE_FLAGS.filter((flag) => !isGiven(flag));
  if (missing.length === 0) return null;
  return { args: [execPath, ...missing, ...execArgv, ...argv.slice(1)], env: { ...NODE_ENVIRONMENT, ...env } };
}

/**
 * A master or worker that was started as `node cli.js` becomes one with the flags of Node that every launcher gives (same process
 * ID, same streams); without them it takes half as much memory again. Not on Windows, nor inside Electron, nor where a parent holds a
 * channel to this process: that would end. Where it is not allowed (`node --permission`), the process goes on as it is.
 */
export function takeOnFlags(): void {
  const isPlain = process.platform !== 'win32' && process.versions['electron'] === undefined && !process.channel;
  if (!isPlain || typeof process.execve !== 'function') return;
  const other = otherStart(process);
  if (other === null) return;
  try {
    process.execve(process.execPath, other.args, other.env);
  } catch {
    // A matter of memory alone.
  }
}
