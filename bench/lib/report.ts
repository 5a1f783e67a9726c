import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';

/** One measured figure against what is wanted of it. */
export interface Target {
  name: string;
  value: number;
  target: number;
  /** Whether more is better, or less. */
  wanted: 'at least' | 'at most';
}

/** One JSON line on standard output. */
export function line(content: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(content)}\n`);
}

/** The first line: figures mean nothing without the machine they were taken on. */
export function opening(bench: string, quick: boolean, libraries: readonly string[]): void {
  line({
    bench,
    quick,
    at: new Date().toISOString(),
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      system: `${type()} ${release()}`,
    },
    versions: {
      node: process.versions.node,
      ...Object.fromEntries(libraries.map((name) => [name, versionOf(name)])),
      commit: commit(),
    },
  });
}

/** The last line. Returns the exit code: 1 where a target is missed. */
export function summary(targets: readonly Target[]): 0 | 1 {
  const judged = targets.map(({ name, value, target, wanted }) => ({
    name,
    value: round(value),
    target: round(target),
    ok: wanted === 'at least' ? value >= target : value <= target,
  }));
  line({ summary: true, targets: judged });
  return judged.every(({ ok }) => ok) ? 0 : 1;
}

/** Three significant decimals are more than any of this is exact to. */
export const round = (value: number): number => Math.round(value * 1000) / 1000;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** The value that a share `q` of a sorted list does not exceed. */
export const quantile = (sorted: ArrayLike<number>, q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;

function versionOf(name: string): string {
  return (
    JSON.parse(readFileSync(new URL(`../../node_modules/${name}/package.json`, import.meta.url), 'utf8')) as {
      version: string;
    }
  ).version;
}

function commit(): string | null {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null;
  }
}
