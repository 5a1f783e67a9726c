import type { CostMeter } from './meter.ts';
import { parsePattern, type PatternNode } from './pattern-parse.ts';

/**
 * Regular expressions of user schemas, matched by a set of states (Thompson): the time is length × states, whatever
 * the pattern, and each step is paid for. Backtracking engines can be stalled for years by forty letters.
 */
export interface LinearPattern {
  test(text: string): boolean;
  toString(): string;
}

type State =
  | { t: 'char'; accepts(code: number): boolean; next: number }
  | { t: 'split'; next: number; other: number }
  | { t: 'assert'; holds(before: number, after: number): boolean; next: number }
  | { t: 'end' };

const MAX_STATES = 5000;
const NONE = -1;

/** Compiles a pattern. Throws `SyntaxError` for one that is invalid, too large, or needs look-around or back-references. */
export function linearPattern(source: string, meter: CostMeter): LinearPattern {
  const states: State[] = [];
  const start = build(parsePattern(source), add({ t: 'end' }));

  function add(state: State): number {
    if (states.length >= MAX_STATES)
      throw new SyntaxError(`the pattern has more than ${MAX_STATES} states; use smaller repetitions, or maxLength`);
    return states.push(state) - 1;
  }

  /** Builds backwards: gives the entry of `node` whose exit is `next`. */
  function build(node: PatternNode, next: number): number {
    switch (node.t) {
      case 'char':
        return add({ t: 'char', accepts: node.accepts, next });
      case 'assert':
        return add({ t: 'assert', holds: node.holds, next });
      case 'all':
        return node.items.reduceRight((exit, item) => build(item, exit), next);
      case 'any':
        return node.items
          .map((item) => build(item, next))
          .reduce((other, entry) => add({ t: 'split', next: entry, other }));
      case 'repeat': {
        let entry = next;
        if (node.max === Number.POSITIVE_INFINITY) {
          const loop = add({ t: 'split', next: NONE, other: next });
          states[loop] = { t: 'split', next: build(node.item, loop), other: next };
          entry = loop;
        } else {
          for (let i = node.min; i < node.max; i++)
            entry = add({ t: 'split', next: build(node.item, entry), other: next });
        }
        for (let i = 0; i < node.min; i++) {
          const before = states.length;
          entry = build(node.item, entry);
          // What is empty stays empty however often it is repeated: no number of states ends that.
          if (states.length === before) break;
        }
        return entry;
      }
    }
  }

  const mark = new Int32Array(states.length).fill(NONE);
  const pending: number[] = [];

  /** Adds a state and all that it reaches without a character; true where that is the end. */
  function reach(from: number, at: number, before: number, after: number, into: number[]): boolean {
    pending.push(from);
    let ended = false;
    while (pending.length > 0) {
      // Not empty, and ids are places in `states`.
      const id = pending.pop() as number;
      if (mark[id] === at) continue;
      mark[id] = at;
      const state = states[id] as State;
      if (state.t === 'end') ended = true;
      else if (state.t === 'char') into.push(id);
      else if (state.t === 'split') pending.push(state.other, state.next);
      else if (state.holds(before, after)) pending.push(state.next);
    }
    return ended;
  }

  return {
    test(text) {
      mark.fill(NONE);
      let current: number[] = [];
      let before = NONE;
      for (let at = 0; ;) {
        const code = at < text.length ? (text.codePointAt(at) as number) : NONE;
        if (reach(start, at, before, code, current)) return true;
        if (code === NONE) return false;
        meter.spend(1 + current.length);
        const step = code > 0xffff ? 2 : 1;
        const after = at + step < text.length ? (text.codePointAt(at + step) as number) : NONE;
        const following: number[] = [];
        for (const id of current) {
          const state = states[id] as State & { t: 'char' };
          if (state.accepts(code) && reach(state.next, at + step, code, after, following)) return true;
        }
        current = following;
        before = code;
        at += step;
      }
    },
    toString: () => `/${source}/`,
  };
}
