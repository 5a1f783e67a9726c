import { itemAt } from '../../lib/item-at.ts';
import type { Limits } from '../../contract/limits.ts';
import type { Clock } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { createSemaphore } from '../../lib/semaphore.ts';
import type { Store } from '../store/port.ts';
import { saveChanges, type Rule } from './alert-state.ts';
import { evaluate, isVisibleChange, type Change, type QueryOutcome } from './evaluate.ts';
import { runYielding } from './event-loop-yield.ts';
import { querySamples, type AlertSources } from './sources.ts';

export interface EvaluatorDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly limits: Readonly<Pick<Limits, 'alertInstances' | 'alertQuerySeconds' | 'alertConcurrency'>>;
  readonly rules: ReadonlyMap<string, Rule>;
  readonly sources: AlertSources;
  /** Memory was brought up to date; the store may refuse. */
  changed(rule: Rule, changes: readonly Change[]): void;
  onError(error: unknown): void;
}

const CLOSE_MS = 500;
/** Instances of one transaction: of a thousand at once the event loop would be held for long. */
const SAVED_AT_ONCE = 50;

interface Group {
  dueAt: number;
  running: Promise<void> | null;
}

/** Gives up a query that takes too long; its thread ends it by its own limit. */
export async function withTimeout<T>(seconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new Fault(
          'STORE_UNAVAILABLE',
          `the query took longer than ${seconds} s: narrow the query, or evaluate the rule less often`,
        ),
      );
      over.abort();
    }, seconds * 1000);
  });
  try {
    return await Promise.race([work(over.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Evaluates rules in groups: those of one group with one interval run one after the other, at the whole multiples of the
 * interval. A group that still runs when it is due is left out once and counted.
 */
export function createEvaluator({ store, clock, limits, rules, sources, changed, onError }: EvaluatorDeps) {
  const groups = new Map<string, Group>();
  const queries = createSemaphore({ most: () => limits.alertConcurrency });
  /** Slices of several rules would add up in one turn of the event loop: one rule is looked at, and one is saved, at a time. */
  const evaluations = createSemaphore({ most: () => 1 });
  const saves = createSemaphore({ most: () => 1 });
  let closed = false;

  async function ask(rule: Rule, at: number): Promise<QueryOutcome> {
    try {
      const { query, rangeSeconds, project } = rule.config;
      const samples = await queries.run(() =>
        withTimeout(limits.alertQuerySeconds, (signal) =>
          querySamples(
            sources,
            query,
            { from: at - rangeSeconds * 1000, to: at, stepMs: null, limit: limits.alertInstances },
            signal,
            project,
          ),
        ),
      );
      return { kind: 'samples', samples };
    } catch (error) {
      return { kind: 'error', message: error instanceof Error ? error.message : String(error) };
    }
  }

  async function one(rule: Rule): Promise<void> {
    const at = clock.now();
    const begun = performance.now();
    const { config } = rule;
    const outcome = await ask(rule, at);
    // It was changed, paused or deleted meanwhile: what was found belongs to the old one.
    const isOver = () => closed || rules.get(rule.id)?.config !== config || !config.enabled;
    if (isOver()) return;
    const changes = await evaluations.run(() => runYielding(evaluate(config, rule.instances, outcome, at)));
    if (isOver()) return;
    const over =
      outcome.kind === 'samples' &&
      outcome.samples.total > outcome.samples.samples.length &&
      outcome.samples.total > limits.alertInstances;
    Object.assign(rule, {
      lastAt: at,
      lastMs: performance.now() - begun,
      lastSeries: outcome.kind === 'samples' ? outcome.samples.total : null,
      lastError:
        outcome.kind === 'error'
          ? outcome.message
          : over
            ? `the query returns ${outcome.samples.total} series; only the first ${limits.alertInstances} are evaluated (limit alertInstances)`
            : null,
    });
    for (const { after } of changes) {
      if (after.facts.state === 'Normal') rule.instances.delete(after.fingerprint);
      else rule.instances.set(after.fingerprint, after);
    }
    changed(rule, changes);
    await saves.run(() => save(rule, changes.filter(isVisibleChange)));
  }

  /** A kill in between leaves half of it in the store, which the first evaluation after the start makes whole: nobody is told before. */
  async function save(rule: Rule, changes: readonly Change[]): Promise<void> {
    for (let i = 0; i < changes.length; i += SAVED_AT_ONCE) {
      // Paused or deleted meanwhile: its instances are out of the store already.
      if (rules.get(rule.id) !== rule || !rule.config.enabled) return;
      const held = changes
        .slice(i, i + SAVED_AT_ONCE)
        .filter(({ after }) => after.facts.state === 'Normal' || rule.instances.get(after.fingerprint) === after);
      await store.write((db) => saveChanges(db, rule, held)).catch(onError);
    }
  }

  async function run(members: readonly Rule[]): Promise<void> {
    for (const rule of members) {
      if (closed) return;
      await one(rule).catch(onError);
    }
  }

  return {
    /** Starts what is due. Returns at once. */
    step(): void {
      const now = clock.now();
      const due = new Map<string, Rule[]>();
      for (const rule of rules.values()) {
        if (!rule.config.enabled) continue;
        const key = `${rule.config.intervalSeconds} ${rule.config.group}`;
        const list = due.get(key);
        if (list) list.push(rule);
        else due.set(key, [rule]);
      }
      for (const key of groups.keys()) if (!due.has(key) && groups.get(key)?.running === null) groups.delete(key);
      for (const [key, members] of due) {
        const ms = itemAt(members, 0).config.intervalSeconds * 1000;
        const group = groups.get(key) ?? { dueAt: now, running: null };
        groups.set(key, group);
        if (now < group.dueAt && group.dueAt - now <= ms) continue;
        group.dueAt = (Math.floor(now / ms) + 1) * ms;
        if (group.running) {
          for (const rule of members) rule.skipped++;
          continue;
        }
        group.running = run(members).finally(() => (group.running = null));
      }
    },
    /** Resolves once no evaluation is under way. */
    async settled(): Promise<void> {
      await Promise.all([...groups.values()].flatMap(({ running }) => running ?? []));
    },
    async close(): Promise<void> {
      closed = true;
      // What a query still finds is left; a write under way takes no longer than this.
      const ended = Promise.all([...groups.values()].flatMap(({ running }) => running ?? []));
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);
    },
  };
}
