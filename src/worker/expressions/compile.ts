import jsonata from 'jsonata';
import { isRecord } from '../../lib/is-record.ts';
import { isRawNumber } from '../../lib/json.ts';
import { TaskExecutionError } from '../task-execution-error.ts';
import { compileFastPath, type FastPath } from './fast-path.ts';
import { pathNames, type Ast } from './ast.ts';
import { isCheapExpression } from './cost.ts';
import { quoteExpression } from './quote-expression.ts';

/** A compiled JSONata expression. */
export interface CompiledExpression {
  evaluate(input: unknown): Promise<unknown>;
  /** Its steps are all short and make little, so it may run on the worker's own event loop (see `isCheapExpression`). */
  cheap: boolean;
  /** It only picks and rearranges, so it may be handed numbers that a double cannot hold. */
  structural: boolean;
  /** Decides most small expressions without the evaluator; null where this is none. */
  fastPath: FastPath | null;
  /** The names of a plain path such as `$.a.b`; null for any other expression. */
  path: readonly string[] | null;
}

/** Depth of nested evaluation at which a recursion ends with an error. */
const DEPTH = 1000;

/**
 * Compiles an expression that ends with an error after `timeoutMs`. Throws INVALID_DAG where it does not parse.
 * The limit is checked between steps: a single long step (a regular expression) is the business of `isCheapExpression`.
 */
export function compileExpression(source: string, timeoutMs: number): CompiledExpression {
  let expression: jsonata.Expression;
  try {
    expression = jsonata(source, { timeout: timeoutMs, stack: DEPTH });
  } catch (error) {
    const position = isRecord(error) ? error['position'] : undefined;
    throw new TaskExecutionError(
      'INVALID_DAG',
      `the expression ${quoteExpression(source)} is not valid JSONata: ${jsonataMessage(error)}${position === undefined ? '' : ` (at ${position})`}`,
    );
  }
  // The package types the tree for one form of it alone.
  const ast = expression.ast() as unknown as Ast;
  const cheap = isCheapExpression(ast, source);
  return {
    evaluate: (input) => expression.evaluate(input),
    cheap,
    fastPath: cheap ? compileFastPath(ast) : null,
    structural: isStructural(ast),
    path: plainPath(ast),
  };
}

/**
 * The value at the end of a plain path through objects, which is most of what templates ask for, without the evaluator.
 * Undefined where an array is on the way: then JSONata's own rules about sequences decide.
 */
export function followPath(path: readonly string[], input: unknown): { value: unknown } | undefined {
  let value = input;
  for (const name of path) {
    if (Array.isArray(value)) return undefined;
    value =
      typeof value === 'object' && value !== null && !isRawNumber(value) && Object.hasOwn(value, name)
        ? isRecord(value)
          ? value[name]
          : undefined
        : undefined;
  }
  return Array.isArray(value) ? undefined : { value };
}

/** JSONata throws errors of its own, which are no `Error`, with a code and a message. */
export const jsonataCode = (error: unknown): string | undefined =>
  isRecord(error) && typeof error['code'] === 'string' ? error['code'] : undefined;
export const jsonataMessage = (error: unknown): string =>
  isRecord(error) && typeof error['message'] === 'string' ? error['message'] : (jsonataCode(error) ?? String(error));

/** True for the error of an expression that ran into its time limit. */
export const isTimeout = (error: unknown): boolean => jsonataCode(error) === 'D1012';

/** Keys that a structural node may have. */
const PLAIN_KEYS = new Set([
  'steps',
  'arguments',
  'expressions',
  'lhs',
  'rhs',
  'expression',
  'condition',
  'then',
  'else',
  'expr',
  'type',
  'name',
  'value',
  'position',
  'procedure',
  'keepArray',
  'keepSingletonArray',
  'consarray',
  'nextFunction',
]);

function plainPath(ast: Ast): string[] | null {
  const bare = ast.type === 'path' && Object.keys(ast).every((key) => key === 'type' || key === 'steps');
  return pathNames(bare ? (ast.steps ?? []) : [ast]);
}

/** Names, `$`, objects and arrays of these, and literals. */
function isStructural(ast: Ast): boolean {
  if (!Object.keys(ast).every((key) => PLAIN_KEYS.has(key))) return false;
  if (ast.type === 'variable') return ast.value === '' || ast.value === '$';
  if (ast.type === 'name' || ast.type === 'string' || ast.type === 'number' || ast.type === 'value') return true;
  if (ast.type === 'path') return (ast.steps ?? []).every(isStructural);
  if (ast.type === 'block') return (ast.expressions ?? []).every(isStructural);
  if (ast.type === 'unary' && ast.value === '{') return Array.isArray(ast.lhs) && ast.lhs.flat().every(isStructural);
  if (ast.type === 'unary' && ast.value === '[') return (ast.expressions ?? []).every(isStructural);
  return false;
}
