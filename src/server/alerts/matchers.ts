import { errorMessage } from '../../lib/errors.ts';
import { RE2JS } from 're2js';
import type { Matcher } from '../../contract/alert-rules.ts';
import { invalidAt } from '../../lib/fault.ts';
import { programSize } from '../../lib/regex-size.ts';
import type { Labels } from './fingerprint.ts';

/** True where all matchers hold. An absent label is the empty text. */
export type Matches = (labels: Labels) => boolean;

const MAX_KNOWN = 2000;
/** Steps of all expressions of one list, which the master's own thread takes for each character of a label. */
const MOST_STEPS = 1000;
const known = () => new Map<string, RE2JS>();

/** Compiles matchers; expressions run in linear time whatever they are. `pointer` is where they stand in the request. A bad one is VALIDATION_FAILED. */
export function createMatching() {
  const compiled = known();

  function regexOf(source: string, pointer: string): RE2JS {
    const found = compiled.get(source);
    if (found) return found;
    try {
      const regex = RE2JS.compile(source);
      if (compiled.size >= MAX_KNOWN) compiled.clear();
      compiled.set(source, regex);
      return regex;
    } catch (error) {
      throw invalidAt(
        pointer,
        `expected an RE2 regular expression in the matcher, got "${source.slice(0, 100)}": ${errorMessage(error)}`,
        errorMessage(error),
      );
    }
  }

  return function compile(matchers: readonly Matcher[], pointer = '/matchers'): Matches {
    const tests = matchers.map(({ name, op, value }, i): Matches => {
      const of = (labels: Labels) => (Object.hasOwn(labels, name) && labels[name]) || '';
      if (op === '=') return (labels) => of(labels) === value;
      if (op === '!=') return (labels) => of(labels) !== value;
      const regex = regexOf(value, `${pointer}/${i}/value`);
      return op === '=~' ? (labels) => regex.matches(of(labels)) : (labels) => !regex.matches(of(labels));
    });
    return (labels) => tests.every((test) => test(labels));
  };
}

export type CompileMatchers = ReturnType<typeof createMatching>;

/** The same for what somebody asks for. What was stored before is compiled whatever it costs. */
export const bounded =
  (compile: CompileMatchers): CompileMatchers =>
  (matchers, pointer = '/matchers') => {
    refuseLarge(matchers, pointer);
    return compile(matchers, pointer);
  };

function refuseLarge(matchers: readonly Matcher[], pointer: string): void {
  let steps = 0;
  for (const [i, { op, value }] of matchers.entries()) {
    if (op === '=' || op === '!=') continue;
    steps += programSize(value);
    if (steps > MOST_STEPS)
      throw invalidAt(
        `${pointer}/${i}/value`,
        `the regular expressions of these matchers expand to more than ${MOST_STEPS} steps: use fewer repetitions, or alternatives`,
      );
  }
}
