import jsonata from 'jsonata';
import { isRawNumber } from '../../lib/json.ts';
import { TaskError } from '../task-error.ts';
import { compileFastPath, type FastPath } from './fast-path.ts';
import { isCheap, type Ast } from './cost.ts';

/** A compiled JSONata expression. */
export interface CompiledExpression {
  evaluate(input: unknown): Promise<unknown>;
  /** Its steps are all short and make little, so it may run on the worker's own event loop (see `isLight`). */
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
 * The limit is checked between steps: a single long step (a regular expression) is the business of `isLight`.
 */
export function compileExpression(source: string, timeoutMs: number): CompiledExpression {
  let expression: jsonata.Expression;
  try {
    expression = jsonata(source, { timeout: timeoutMs, stack: DEPTH });
  } catch (error) {
    const { message, position } = error as { message?: string; position?: number };
    throw new TaskError(
      'INVALID_DAG',
      `the expression ${JSON.stringify(source.slice(0, 200))} is not valid JSONata: ${message ?? String(error)}${position === undefined ? '' : ` (at ${position})`}`,
    );
  }
  const ast = expression.ast() as unknown as Ast;
  const light = isCheap(ast, source);
  return {
    evaluate: (input) => expression.evaluate(input),
    cheap: light,
    fastPath: light ? compileFastPath(ast) : null,
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
        ? (value as Record<string, unknown>)[name]
        : undefined;
  }
  return Array.isArray(value) ? undefined : { value };
}

/** True for the error of an expression that ran into its time limit. */
export const isTimeout = (error: unknown): boolean => (error as { code?: string } | null)?.code === 'D1012';

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
  const steps =
    ast.type === 'path' && Object.keys(ast).every((key) => key === 'type' || key === 'steps')
      ? (ast['steps'] as Ast[])
      : [ast];
  const names: string[] = [];
  for (const [i, step] of steps.entries()) {
    if (Object.keys(step).some((key) => key !== 'type' && key !== 'value' && key !== 'position')) return null;
    if (step.type === 'name') names.push(String(step.value));
    else if (i > 0 || step.type !== 'variable' || (step.value !== '' && step.value !== '$')) return null;
  }
  return names;
}

/** Names, `$`, objects and arrays of these, and literals. */
function isStructural(node: unknown): boolean {
  if (Array.isArray(node)) return node.every(isStructural);
  const ast = node as Ast;
  for (const key of Object.keys(ast)) if (!PLAIN_KEYS.has(key)) return false;
  if (ast.type === 'variable') return ast.value === '' || ast.value === '$';
  if (ast.type === 'name' || ast.type === 'string' || ast.type === 'number' || ast.type === 'value') return true;
  if (ast.type === 'path') return isStructural(ast['steps']);
  if (ast.type === 'block') return isStructural(ast['expressions']);
  if (ast.type === 'unary' && ast.value === '{') return isStructural(ast['lhs']);
  if (ast.type === 'unary' && ast.value === '[') return isStructural(ast['expressions']);
  return false;
}
