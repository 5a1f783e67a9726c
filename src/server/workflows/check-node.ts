import { errorMessage } from '../../lib/errors.ts';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import jsonata from 'jsonata';
import { NODE_CONFIGS, type DefinitionFault, type WorkflowNode } from '../../contract/definition.ts';
import { NODE_TYPES, NOT_INNER_TYPES } from '../../contract/node-types.ts';
import { escapePointer, explainValidationErrors } from '../../lib/validation-errors.ts';
import { isRawNumber, withPlainNumbers } from '../../lib/json.ts';
import { parseTemplate } from '../../lib/template.ts';
import { checkUrl } from './check-url.ts';
import { checkWait } from './check-wait.ts';

/** Characters of one expression, and of one template; longer ones belong into a code node. */
const MAX_EXPRESSION = 65_536;
const MAX_TEMPLATE = 1_048_576;

/** Characters of a whole definition that are parsed to check them: parsing takes the event loop's time. */
export interface ParseBudget {
  expressions: number;
  code: number;
}
export const parseBudget = (): ParseBudget => ({ expressions: 262_144, code: 1_048_576 });

const schemas: ReadonlyMap<string, object> = new Map(Object.entries(NODE_CONFIGS));
const configChecks = new Map<string, ValidateFunction>();
let ajv: Ajv2020 | undefined;

/** Compiled on first use; undefined where there is no such type. */
function configCheck(type: string): ValidateFunction | undefined {
  const schema = schemas.get(type);
  let check = configChecks.get(type);
  if (!check && schema) {
    ajv ??= new Ajv2020({ validateSchema: false, allErrors: true, strict: false, ownProperties: true, logger: false });
    configChecks.set(type, (check = ajv.compile(schema)));
  }
  return check;
}

// It has no name of its own.
const AsyncFunction = (async () => undefined).constructor as new (...parts: string[]) => unknown;

/** Faults of one node's type and configuration; `pointer` is that of the node. */
export function checkNode(node: WorkflowNode, pointer: string, budget: ParseBudget): DefinitionFault[] {
  const check = configCheck(node.type);
  if (!check)
    return [
      {
        pointer: `${pointer}/type`,
        code: 'UNKNOWN_TYPE',
        message: `unknown node type ${node.type}; expected one of ${NODE_TYPES.join(', ')}`,
      },
    ];
  const config = node.config ?? {};
  if (!check(withPlainNumbers(config)))
    return explainValidationErrors(check.errors ?? []).map((e) => ({
      pointer: `${pointer}/config${e.pointer}`,
      code: 'BAD_CONFIG',
      message: e.message,
    }));
  // The check of its type has let it pass; what another type has is not read.
  const known = config as { expression: string; url: string; source: string; items: string; node: WorkflowNode };
  switch (node.type) {
    case 'transform':
    case 'condition':
      return expression(known.expression, `${pointer}/config/expression`, budget);
    case 'template':
      return texts(config['template'], `${pointer}/config/template`, budget);
    case 'http':
      return [
        ...checkUrl(known.url, `${pointer}/config/url`),
        ...['url', 'headers', 'query', 'body'].flatMap((name) =>
          texts(config[name], `${pointer}/config/${name}`, budget),
        ),
      ];
    case 'code':
      return code(known.source, `${pointer}/config/source`, budget);
    case 'wait':
      return [...checkWait(config, `${pointer}/config`), ...texts(config, `${pointer}/config`, budget)];
    case 'forEach':
      return [
        ...expression(known.items, `${pointer}/config/items`, budget),
        ...checkInner(known.node, `${pointer}/config/node`, budget),
      ];
    default:
      return [];
  }
}

/** What makes no task by itself, or many, is nothing to be done with an item. */
function checkInner(inner: WorkflowNode, pointer: string, budget: ParseBudget): DefinitionFault[] {
  if (!NOT_INNER_TYPES.has(inner.type)) return checkNode(inner, pointer, budget);
  const allowed = NODE_TYPES.filter((type) => !NOT_INNER_TYPES.has(type));
  return [
    {
      pointer: `${pointer}/type`,
      code: 'INNER_TYPE',
      message: `a forEach node cannot run nodes of type ${inner.type}; allowed types: ${allowed.join(', ')}`,
    },
  ];
}

function expression(source: string, pointer: string, budget: ParseBudget): DefinitionFault[] {
  if (source.length > MAX_EXPRESSION)
    return [
      {
        pointer,
        code: 'BAD_EXPRESSION',
        message: `the expression has ${source.length} characters; the maximum is ${MAX_EXPRESSION}`,
      },
    ];
  budget.expressions -= source.length;
  if (budget.expressions < 0)
    return [
      {
        pointer,
        code: 'BAD_EXPRESSION',
        message: 'the expressions and templates of this definition are too long in total; move some into code nodes',
      },
    ];
  const message = expressionFault(source);
  return message === null ? [] : [{ pointer, code: 'BAD_EXPRESSION', message }];
}

/** What is wrong with an expression; null: nothing that shows before it is evaluated. */
export function expressionFault(source: string): string | null {
  try {
    jsonata(source);
    return null;
  } catch (error) {
    if (error instanceof RangeError) return 'the expression is nested too deeply';
    // JSONata throws plain objects.
    const { message, position } = error as { message?: string; position?: number };
    return `not valid JSONata${position === undefined ? '' : ` at character ${position}`}: ${message ?? String(error)}`;
  }
}

/** Every `{{…}}` in the strings of a value, keys included. */
function texts(value: unknown, pointer: string, budget: ParseBudget): DefinitionFault[] {
  if (typeof value === 'string') {
    if (!value.includes('{{')) return [];
    if (value.length > MAX_TEMPLATE)
      return [
        {
          pointer,
          code: 'BAD_EXPRESSION',
          message: `the template has ${value.length} characters; the maximum is ${MAX_TEMPLATE}`,
        },
      ];
    return parseTemplate(value).flatMap((piece) =>
      'expression' in piece ? expression(piece.expression, pointer, budget) : [],
    );
  }
  if (value === null || typeof value !== 'object' || isRawNumber(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = `${pointer}/${escapePointer(key)}`;
    return [...(Array.isArray(value) ? [] : texts(key, at, budget)), ...texts(inner, at, budget)];
  });
}

/** Only parsed: a function that is made and never called runs nothing. */
function code(source: string, pointer: string, budget: ParseBudget): DefinitionFault[] {
  budget.code -= source.length;
  if (budget.code < 0)
    return [{ pointer, code: 'BAD_CODE', message: 'the code nodes of this definition are too long in total' }];
  try {
    new AsyncFunction('input', 'ctx', source);
    return [];
  } catch (error) {
    if (error instanceof RangeError) return [{ pointer, code: 'BAD_CODE', message: 'the source is nested too deeply' }];
    return [{ pointer, code: 'BAD_CODE', message: `not valid JavaScript: ${errorMessage(error)}` }];
  }
}
