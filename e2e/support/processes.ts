import { execFileSync } from 'node:child_process';

/** Living processes whose command line holds `text` (the dead ones that nobody waited for are none). */
export function processesWith(text: string): string[] {
  return execFileSync('ps', ['-eo', 'pid,stat,args', '-ww'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(text) && !/^\s*\d+\s+Z/.test(line));
}

/** Processes of the workers that a master started. */
export function workersOf(master: number): number[] {
  return execFileSync('ps', ['-eo', 'pid,ppid,args', '-ww'], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s.* worker --master - /.exec(line))
    .flatMap((found) => (found && Number(found[2]) === master ? [Number(found[1])] : []));
}

/** Those of the processes that are alive. */
export const living = (pids: readonly number[]): number[] => {
  const seen = new Set(processesWith('').map((line) => Number.parseInt(line, 10)));
  return pids.filter((pid) => seen.has(pid));
};
