import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import jsonata from 'jsonata';
import { NODE_CONFIGS, type Fault, type WorkflowNode } from '../../contract/definition.ts';
import { NODE_TYPES } from '../../contract/vocabulary.ts';
import { escapePointer, explain } from '../../lib/explain.ts';
import { isRawNumber, withPlainNumbers } from '../../lib/json.ts';
import { parseText } from '../../lib/template.ts';

/** Characters of one expression or template; longer ones belong into a code node. */
const MOST_EXPRESSION = 65_536;

const schemas: ReadonlyMap<string, object> = new Map(Object.entries(NODE_CONFIGS));
const configChecks = new Map<string, ValidateFunction>();
let ajv: Ajv2020 | undefined;

/** Compiled on first use; undefined where there is no such type. */
function configCheck(type: string): ValidateFunction | undefined {
  const schema = schemas.get(type);
  let check = configChecks.get(type);
  if (!check && schema) {
    ajv ??= new Ajv2020({ allErrors: true, strict: false, ownProperties: true, logger: false });
    configChecks.set(type, (check = ajv.compile(schema)));
  }
  return check;
}

const AsyncFunction = (async () => undefined).constructor as new (...parts: string[]) => unknown;

/** Faults of one node's type and configuration; `pointer` is that of the node. */
export function checkNode(node: WorkflowNode, pointer: string): Fault[] {
  const check = configCheck(node.type);
  if (!check) return [{ pointer: `${pointer}/type`, code: 'UNKNOWN_TYPE', message: `there is no node type ${node.type}; there are ${NODE_TYPES.join(', ')}` }];
  const config = node.config ?? {};
  if (!check(withPlainNumbers(config)))
    return explain(check.errors ?? []).map((e) => ({ pointer: `${pointer}/config${e.pointer}`, code: 'BAD_CONFIG', message: e.message }));
  switch (node.type) {
    case 'transform':
    case 'condition':
      return expression(config['expression'] as string, `${pointer}/config/expression`);
    case 'template':
      return texts(config['template'], `${pointer}/config/template`);
    case 'http':
      return ['url', 'headers', 'query', 'body'].flatMap((name) => texts(config[name], `${pointer}/config/${name}`));
    case 'code':
      return code(config['source'] as string, `${pointer}/config/source`);
    default:
      return [];
  }
}

function expression(source: string, pointer: string): Fault[] {
  if (source.length > MOST_EXPRESSION) return [{ pointer, code: 'BAD_EXPRESSION', message: `the expression has ${source.length} characters, more than ${MOST_EXPRESSION}` }];
  try {
    jsonata(source);
    return [];
  } catch (error) {
    const { message, position } = error as { message?: string; position?: number };
    return [{ pointer, code: 'BAD_EXPRESSION', message: `not valid JSONata${position === undefined ? '' : ` at character ${position}`}: ${message ?? String(error)}` }];
  }
}

/** Every `{{…}}` in the strings of a value, keys included. */
function texts(value: unknown, pointer: string): Fault[] {
  if (typeof value === 'string') {
    if (!value.includes('{{')) return [];
    if (value.length > MOST_EXPRESSION * 16) return [{ pointer, code: 'BAD_EXPRESSION', message: `the template has ${value.length} characters, more than ${MOST_EXPRESSION * 16}` }];
    return parseText(value).flatMap((piece) => ('expression' in piece ? expression(piece.expression, pointer) : []));
  }
  if (value === null || typeof value !== 'object' || isRawNumber(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = `${pointer}/${escapePointer(key)}`;
    return [...(Array.isArray(value) ? [] : texts(key, at)), ...texts(inner, at)];
  });
}

/** Only parsed: a function that is made and never called runs nothing. */
function code(source: string, pointer: string): Fault[] {
  try {
    new AsyncFunction('input', 'ctx', source);
    return [];
  } catch (error) {
    return [{ pointer, code: 'BAD_CODE', message: `not valid JavaScript: ${(error as Error).message}` }];
  }
}
