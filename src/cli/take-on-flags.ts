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
 * ID, same streams), or it takes half as much memory again. Not on Windows, nor where a parent holds a channel to this process: both would end.
 */
export function takeOnFlags(): void {
  if (typeof process.execve !== 'function' || process.platform === 'win32' || process.channel) return;
  const other = otherStart(process);
  if (other !== null) process.execve(process.execPath, other.args, other.env);
}
