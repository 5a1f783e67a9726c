import { execFileSync } from 'node:child_process';

/** Living processes whose command line holds `text` (the dead ones that nobody waited for are none). */
export function processesWith(text: string): string[] {
  return execFileSync('ps', ['-eo', 'pid,stat,args', '-ww'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(text) && !/^\s*\d+\s+Z/.test(line));
}
