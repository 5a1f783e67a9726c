import { RE2JS } from 're2js';
import { errorMessage } from '../../../../lib/errors.ts';
import { PROGRAM_SIZE, programSize } from '../../../../lib/regex-size.ts';
import { runtimeError } from './errors.ts';
import type { Regex } from '../values/values.ts';

/** Characters of a pattern. */
const LONGEST = 1000;

/** A regular expression that takes time linear in the text, whatever the pattern. Throws FLUX_RUNTIME. */
export function createRegex(source: string): Regex {
  if (source.length > LONGEST) throw runtimeError(`a regular expression is longer than ${LONGEST} characters`);
  const steps = programSize(source);
  if (steps > PROGRAM_SIZE)
    throw runtimeError(`a regular expression expands to ${steps} steps; the maximum is ${PROGRAM_SIZE}`);
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(source);
  } catch (error) {
    throw runtimeError(`the regular expression /${source}/ is not valid: ${errorMessage(error)}`);
  }
  return {
    source,
    test: (text) => compiled.matcher(text).find(),
    replaceAll: (text, by) => compiled.matcher(text).replaceAll(by),
  };
}
