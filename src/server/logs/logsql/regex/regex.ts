import { RE2JS } from 're2js';
import { Fault } from '../../../../lib/fault.ts';
import { PROGRAM_SIZE, programSize } from '../../../../lib/regex-size.ts';
import { type Node, parsePlain, sourceOf } from './parse.ts';

/** Steps that one value may cost JavaScript's backtracking engine; beyond, the linear one is asked. */
const STEPS = 1_000_000;

/**
 * Tells whether a text matches. Expressions are RE2's, and `.` is any character. Patterns come from outside, so no text
 * may take more than linear time: JavaScript's engine is used only where its worst case on a text of that length is
 * known to be small, `re2js` for all others.
 *
 * @param anchored the whole text must match
 */
export function regexTest(pattern: string, anchored: boolean): (text: string) => boolean {
  const linear = compileRegex(pattern);
  const slow = anchored ? (text: string) => linear.testExact(text) : (text: string) => linear.test(text);
  const plain = parsePlain(pattern);
  if (plain === null) return slow;
  const longest = maxSafeLength(plain.node);
  if (longest === 0) return slow;
  const source = sourceOf(plain.node);
  const quick = new RegExp(anchored ? `^(?:${source})$` : source, plain.fold ? 'sui' : 'su');
  return (text) => (text.length <= longest ? quick.test(text) : slow(text));
}

/** A regular expression of RE2's syntax. Throws QUERY_INVALID with what is wrong. */
export function compileRegex(pattern: string): RE2JS {
  const fault = regexFault(pattern);
  if (fault !== null)
    throw new Fault('QUERY_INVALID', `the regular expression ${JSON.stringify(pattern)} is not valid: ${fault}`, {
      extra: { position: 0 },
    });
  return RE2JS.compile(pattern, RE2JS.DOTALL);
}

/** What is wrong with an expression, in the words of RE2; null: nothing. */
export function regexFault(pattern: string): string | null {
  const size = programSize(pattern);
  if (size > PROGRAM_SIZE) return `it expands to ${size} steps; the maximum is ${PROGRAM_SIZE}. Use fewer repetitions`;
  try {
    RE2JS.compile(pattern, RE2JS.DOTALL);
    return null;
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).replace(/^error parsing regexp: /, '');
  }
}

/** The longest text for which a backtracking engine takes at most `STEPS` steps; 0: none, Infinity: any. */
export function maxSafeLength(node: Node): number {
  const size = sizeOf(node);
  const steps = (length: number) => (length + 1) * pathsOf(node, length) * size;
  if (steps(8) > STEPS) return 0;
  let longest = 8;
  while (longest < 1 << 24 && steps(longest * 1.25) <= STEPS) longest *= 1.25;
  return Math.floor(longest);
}

/** In how many ways a text of that length can be tried from one place: the product of all choices. */
function pathsOf(node: Node, length: number): number {
  switch (node.kind) {
    case 'cat':
      return node.parts.reduce((product, part) => product * pathsOf(part, length), 1);
    case 'alt':
      return node.parts.reduce((sum, part) => sum + pathsOf(part, length), 0);
    case 'repeat':
      if (node.part.kind === 'char' || node.part.kind === 'set')
        return Math.min(node.max, length + node.min) - node.min + 1;
      // What repeats a group can try it anew at each round: that is not bounded by a product.
      return node.max === 1 ? 1 + pathsOf(node.part, length) : Number.POSITIVE_INFINITY;
    default:
      return 1;
  }
}

function sizeOf(node: Node): number {
  switch (node.kind) {
    case 'cat':
    case 'alt':
      return node.parts.reduce((sum, part) => sum + sizeOf(part), 1);
    case 'repeat':
      return sizeOf(node.part) * Math.max(1, node.min);
    default:
      return 1;
  }
}
