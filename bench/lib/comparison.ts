import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { line, round, type Target } from './report.ts';

/** One figure of ours beside the same of a peer. */
export interface Comparison {
  readonly work: string;
  readonly peer: string;
  readonly ours: number;
  readonly theirs: number;
  /** What the ratio ours / theirs is to be. */
  readonly target?: number;
  readonly wanted: Target['wanted'];
}

/** Says it as a line, for the table of `bench/peers.ts`, and returns what the summary judges. */
export function compare({ work, peer, ours, theirs, target, wanted }: Comparison): Target[] {
  line({ compared: work, peer, ours: round(ours), theirs: round(theirs), target: target ?? null, wanted });
  return target === undefined || theirs === 0
    ? []
    : [{ name: `${work}, against ${peer}`, value: ours / theirs, target, wanted }];
}

/** Says that a peer is left out, and what would bring it in. */
export const leaveOut = (peer: string, missing: string): void => line({ peer, missing });

/** A program that a variable names, or that is on the PATH; else what to do. */
export function programOf(variable: string, ...names: string[]): { path: string } | { missing: string } {
  const named = process.env[variable];
  if (named) return { path: named };
  for (const folder of (process.env['PATH'] ?? '').split(delimiter))
    for (const name of names)
      try {
        accessSync(join(folder, name), constants.X_OK);
        return { path: join(folder, name) };
      } catch {
        // Not here.
      }
  return { missing: `${names.join(' or ')} on the PATH, or ${variable}=its file` };
}
