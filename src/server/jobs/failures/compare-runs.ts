import type { FailureCause } from '../../../contract/failures.ts';
import { pathText } from '../../../lib/job-query/field-path.ts';
import type { Scalar } from '../search/terms.ts';

/** With fewer than these on either side only a complete separation says something. */
export const LEAST = 5;
/** Fewer than these on either side say nothing at all. */
export const FEWEST = 3;
/** Of few runs: odds that chance alone would separate them as completely. */
const MAX_CHANCE = 0.02;
/** A cause is in so many of the failures, and in so many more of them than of the successes, and the odds of chance are below 1 in 1,000. */
const MIN_SHARE = 0.25;
const MIN_LEAD = 0.25;
const MIN_LIFT = 1.5;
const MIN_Z = 3.3;
/** A bound is the best of many: it has to be far beyond chance. */
const MIN_RANGE_Z = 5;
/** Fewer different numbers are values, and no range. */
const RANGE_VALUES = 8;
const MAX_CAUSES = 10;
const VALUE_CHARACTERS = 64;
/** Fields that may be found missing. */
const MOST_PATHS = 500;

/** One job of a sample: how it ran, and what it was given. */
export interface Run {
  readonly worker: string | null;
  readonly commit: string;
  readonly environment: string;
  /** `13:00`, UTC. */
  readonly hour: string;
  /** Null: its input is too large to look at, or damaged. */
  readonly fields: readonly Scalar[] | null;
}

type Trait = Pick<FailureCause, 'kind' | 'path' | 'value'>;
/** By a key, so that what is there twice counts once. */
type Traits = Map<string, Trait>;

/**
 * What is in many more of the failures than of the successes: a worker, a version, an environment, an hour; a value, a type, the
 * absence of a field, a number beyond a bound.
 */
export function compareRuns(failures: readonly Run[], successes: readonly Run[]): FailureCause[] {
  const seen = [failures, successes].map((runs) => runs.map((run) => ({ run, fields: fieldsByPath(run) })));
  const [failed = [], succeeded = []] = seen;
  const paths = new Set<string>();
  for (const { fields } of [...failed, ...succeeded])
    for (const path of fields?.keys() ?? []) if (paths.size < MOST_PATHS) paths.add(path);
  const all = ({ run, fields }: (typeof failed)[number]): Traits => traitsOf(run, fields, paths);
  const [inFailures, inSuccesses] = [count(failed.map(all)), count(succeeded.map(all))];
  const areFew = Math.min(failures.length, successes.length) < LEAST;
  const found = areFew ? [] : compare(inFailures, failures.length, inSuccesses, successes.length, MIN_Z);
  const known = new Set(found.map(causeKey));
  // What is not known of one run may be what it shares with the others.
  const allKnown = [...failures, ...successes].every(({ fields }) => fields !== null);
  const complete = !allKnown
    ? []
    : separating(inFailures, failures.length, inSuccesses, successes.length).filter(
        (cause) => !known.has(causeKey(cause)),
      );
  const ranges = [...paths].flatMap((path) => {
    const numbers = (sample: typeof failed) => sample.map(({ fields }) => fields?.get(path)?.numbers ?? []);
    return rangeCause(path, numbers(failed), numbers(succeeded)) ?? [];
  });
  return withoutRepeats([...found, ...complete, ...ranges])
    .sort((a, b) => b.failures - b.successes - (a.failures - a.successes))
    .slice(0, MAX_CAUSES);
}

interface Field {
  readonly values: Set<string>;
  readonly types: Set<string>;
  readonly numbers: number[];
}

/** What is at each path, and that there is something at those above it. */
function fieldsByPath({ fields }: Run): Map<string, Field> | null {
  if (fields === null) return null;
  const found = new Map<string, Field>();
  const at = (path: readonly string[]): Field => {
    const key = pathText(path) ?? '';
    const known = found.get(key) ?? { values: new Set(), types: new Set(), numbers: [] };
    found.set(key, known);
    return known;
  };
  for (const { path, kind, text } of fields) {
    for (let depth = 1; depth < path.length; depth++) at(path.slice(0, depth));
    const field = at(path);
    const type =
      kind === 'text' ? 'string' : text === 'null' ? 'null' : /^(true|false)$/.test(text) ? 'boolean' : 'number';
    field.types.add(type);
    if (text.length <= VALUE_CHARACTERS) field.values.add(text);
    if (type === 'number') field.numbers.push(Number(text));
  }
  return found;
}

function traitsOf(run: Run, fields: Map<string, Field> | null, paths: ReadonlySet<string>): Traits {
  const traits: Traits = new Map();
  const add = (kind: Trait['kind'], path: string | null, value: string) =>
    void traits.set(causeKey({ kind, path, value }), { kind, path, value });
  if (run.worker !== null) add('worker', null, run.worker);
  add('commit', null, run.commit);
  add('environment', null, run.environment);
  add('hour', null, run.hour);
  if (fields === null) return traits;
  for (const [path, { values, types }] of fields) {
    const name = path === '' ? null : path;
    for (const value of values) add('input', name, value);
    for (const type of types) add('type', name, type);
  }
  for (const path of paths) if (path !== '' && !fields.has(path)) add('missing', path, '');
  return traits;
}

const causeKey = ({ kind, path, value }: Trait): string => JSON.stringify([kind, path, value]);

function count(runs: readonly Traits[]): Map<string, { trait: Trait; count: number }> {
  const counts = new Map<string, { trait: Trait; count: number }>();
  for (const traits of runs)
    for (const [key, trait] of traits) {
      const known = counts.get(key);
      if (known) known.count++;
      else counts.set(key, { trait, count: 1 });
    }
  return counts;
}

function compare(
  failed: ReturnType<typeof count>,
  failures: number,
  succeeded: ReturnType<typeof count>,
  successes: number,
  minZ: number,
): FailureCause[] {
  const causes: FailureCause[] = [];
  for (const [key, { trait, count: inFailures }] of failed) {
    const inSuccesses = succeeded.get(key)?.count ?? 0;
    const [share, other] = [inFailures / failures, inSuccesses / successes];
    const pooled = (inFailures + inSuccesses) / (failures + successes);
    const z = (share - other) / Math.sqrt(pooled * (1 - pooled) * (1 / failures + 1 / successes));
    if (inFailures < LEAST || share < MIN_SHARE || share - other < MIN_LEAD || share < other * MIN_LIFT || !(z >= minZ))
      continue;
    causes.push({ ...trait, failures: round(share), successes: round(other) });
  }
  return causes;
}

/**
 * How the inputs of few runs differ in shape: a field that all failures lack and all successes have, or a type that all failures and no
 * success have. Values, hours and workers are not looked at: few runs share one of them easily.
 */
function separating(
  failed: ReturnType<typeof count>,
  failures: number,
  succeeded: ReturnType<typeof count>,
  successes: number,
): FailureCause[] {
  if (Math.min(failures, successes) < FEWEST || chanceOfSeparation(failures, successes) > MAX_CHANCE) return [];
  return [...failed].flatMap(([key, { trait, count: inFailures }]) =>
    (trait.kind === 'missing' || trait.kind === 'type') && inFailures === failures && !succeeded.has(key)
      ? [{ ...trait, failures: 1, successes: 0, fewRuns: { failures, successes } }]
      : [],
  );
}

/** Fisher's exact test, one-sided, of a complete separation: one way among all to choose the failures from the runs. */
function chanceOfSeparation(failures: number, successes: number): number {
  let chance = 1;
  for (let i = 1; i <= failures; i++) chance *= i / (successes + i);
  return chance;
}

/** The bound that sets the numbers of the failures apart best, with its side; null: none is far beyond chance. */
function rangeCause(
  path: string,
  failed: readonly (readonly number[])[],
  succeeded: readonly (readonly number[])[],
): FailureCause | null {
  const bounds = [...new Set(failed.flat())].filter(Number.isFinite).sort((a, b) => a - b);
  if (bounds.length < RANGE_VALUES || succeeded.filter((numbers) => numbers.length > 0).length < LEAST) return null;
  let best: FailureCause | null = null;
  for (const [sign, holds] of [
    ['≥', (value: number, bound: number) => value >= bound],
    ['≤', (value: number, bound: number) => value <= bound],
  ] as const) {
    const share = (runs: readonly (readonly number[])[], bound: number) =>
      runs.filter((numbers) => numbers.some((value) => holds(value, bound))).length / runs.length;
    // Of the failures' own numbers, from the one that holds for all of them on: the bound that the fewest successes meet.
    const outer =
      sign === '≥' ? bounds.slice(0, Math.ceil(bounds.length / 2)) : bounds.slice(Math.floor(bounds.length / 2));
    for (const bound of outer) {
      const cause = { kind: 'range' as const, path, value: `${sign} ${bound}` };
      const [inFailures, inSuccesses] = [share(failed, bound), share(succeeded, bound)];
      const lead = inFailures - inSuccesses;
      if (best && lead <= best.failures - best.successes) continue;
      const counts = (of: number, runs: number) => new Map([['', { trait: cause, count: Math.round(of * runs) }]]);
      const [found] = compare(
        counts(inFailures, failed.length),
        failed.length,
        counts(inSuccesses, succeeded.length),
        succeeded.length,
        MIN_RANGE_Z,
      );
      best = found ?? best;
    }
  }
  return best;
}

/** Without what another cause says better: a field within one that is missing as a whole, a type or range that a value names. */
function withoutRepeats(causes: readonly FailureCause[]): FailureCause[] {
  const alike = (a: FailureCause, b: FailureCause) => a.failures === b.failures && a.successes === b.successes;
  return causes.filter(({ kind, path, ...shares }) => {
    const cause = { kind, path, ...shares };
    if (kind === 'missing')
      return !causes.some(
        (other) =>
          other.kind === 'missing' && alike(other, cause) && other.path !== path && path?.startsWith(`${other.path}.`),
      );
    if (kind === 'type' || kind === 'range')
      return !causes.some(
        (other) =>
          other.kind === 'input' &&
          other.path === path &&
          other.failures >= cause.failures &&
          other.successes <= cause.successes,
      );
    return true;
  });
}

const round = (share: number): number => Math.round(share * 1000) / 1000;
