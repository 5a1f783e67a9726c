import { execFileSync } from 'node:child_process';

/** Where the sources are no Git repository. */
const WITHOUT_GIT = 1;

/**
 * What property-based tests draw from: an integer of 32 bits. It follows from the committed files, so that the same sources
 * pass or fail alike on every machine, and each change looks at other cases. `YARDMASTER_SEED` names another, or `random`.
 */
export function seedOfProperties(folder: string, asked = process.env['YARDMASTER_SEED']): number {
  if (asked === 'random') return (Math.random() * 2 ** 32) | 0;
  if (asked !== undefined) {
    if (!/^-?\d+$/.test(asked)) throw new Error(`YARDMASTER_SEED is "random" or a whole number, not "${asked}".`);
    return Number(asked) | 0;
  }
  try {
    const tree = execFileSync('git', ['rev-parse', 'HEAD^{tree}'], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
    return Number.parseInt(tree.slice(0, 8), 16) | 0;
  } catch {
    return WITHOUT_GIT;
  }
}
