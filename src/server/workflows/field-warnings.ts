import jsonata from 'jsonata';
import type { Definition, FieldWarning } from '../../contract/definition.ts';
import { isRecord } from '../../lib/is-record.ts';
import { escapePointer } from '../../lib/validation-errors.ts';
import { parseTemplate } from '../../lib/template.ts';
import { closestWord, fieldSchema, readsAsFields, type Fields } from './input-fields.ts';

/** Characters of all expressions that are looked at: parsing takes the event loop's time. */
const MAX_CHARACTERS = 65_536;
/** Warnings of one definition at most. */
const MOST = 50;
/** Levels of an expression that are looked at. */
const DEEPEST = 200;

type Ast = Readonly<Record<string, unknown>>;
interface Found {
  readonly field: string;
  readonly suggestion: string | null;
}

/** Nodes that hand on what they are given. */
const PASSING: ReadonlySet<string> = new Set(['condition', 'delay']);

/**
 * Fields that expressions read and the input schema does not have, at the nodes that get the workflow's own input. What comes
 * from elsewhere has no schema, so nothing is said of it. A schema may let other fields through: it is advice.
 */
export function fieldWarnings({ input, nodes, edges }: Pick<Definition, 'input' | 'nodes' | 'edges'>): FieldWarning[] {
  const root = readsAsFields(input);
  if (root === null) return [];
  const given = nodesWithInput(nodes, edges);
  let left = MAX_CHARACTERS;
  return nodes
    .flatMap((node, i) =>
      given.has(node.id)
        ? expressionsOf(node).flatMap(([place, source]) => {
            left -= source.length;
            const found = left < 0 ? [] : unknownFields(source, root);
            return found.map(({ field, suggestion }): FieldWarning => ({
              pointer: `/nodes/${i}/config${place}`,
              code: 'FIELD_UNKNOWN',
              message: `the input schema has no field ${field}${suggestion === null ? '' : `; did you mean ${suggestion}?`}`,
              field,
              suggestion,
            }));
          })
        : [],
    )
    .slice(0, MOST);
}

/** IDs of the nodes whose input is that of the workflow: it comes along one edge, from the input or through what hands it on. */
function nodesWithInput(nodes: Definition['nodes'], edges: Definition['edges']): ReadonlySet<string> {
  const types = new Map(nodes.map(({ id, type }) => [id, type]));
  const before = new Map<string, string[]>();
  for (const { from, to } of edges) before.set(to, [...(before.get(to) ?? []), from]);
  const reached = new Set<string>();
  const next = nodes.filter(({ type }) => type === 'input').map(({ id }) => id);
  for (const from of next)
    for (const edge of edges)
      if (edge.from === from && before.get(edge.to)?.length === 1 && !reached.has(edge.to)) {
        reached.add(edge.to);
        if (PASSING.has(types.get(edge.to) ?? '')) next.push(edge.to);
      }
  return reached;
}

/** Expressions that are evaluated with the input of the node, and where in its config they are. */
function expressionsOf({ type, config = {} }: Definition['nodes'][number]): [place: string, source: string][] {
  switch (type) {
    case 'transform':
    case 'condition':
      return textAt('/expression', config['expression']);
    case 'forEach':
      return textAt('/items', config['items']);
    case 'template':
      return inTexts(config['template'], '/template');
    case 'http':
      return ['url', 'headers', 'query', 'body'].flatMap((name) => inTexts(config[name], `/${name}`));
    default:
      return [];
  }
}

const textAt = (place: string, value: unknown): [string, string][] =>
  typeof value === 'string' ? [[place, value]] : [];

function inTexts(value: unknown, place: string): [string, string][] {
  if (typeof value === 'string')
    return value.includes('{{')
      ? parseTemplate(value).flatMap((piece): [string, string][] =>
          'expression' in piece ? [[place, piece.expression]] : [],
        )
      : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => inTexts(inner, `${place}/${escapePointer(key)}`));
}

function unknownFields(source: string, root: Fields): Found[] {
  let ast: unknown;
  try {
    ast = jsonata(source).ast();
  } catch {
    // A fault of the definition already.
    return [];
  }
  const found = new Map<string, Found>();
  walk(ast, { fields: root, path: '' });
  return [...found.values()];

  /** `here`: what names mean there; null: it is not known. */
  function walk(node: unknown, here: Here | null, depth = 0): void {
    if (depth > DEEPEST) return;
    if (Array.isArray(node)) for (const one of node) walk(one, here, depth + 1);
    else if (isRecord(node) && node['type'] === 'path') walkPath(node, here, depth);
    else if (isRecord(node)) {
      // What `|…|…|` changes, and what a predicate of a variable looks at, is not the input.
      const inside = node['type'] === 'transform' || node['type'] === 'variable' ? null : here;
      for (const child of Object.values(node)) if (typeof child === 'object') walk(child, inside, depth + 1);
    }
  }

  function walkPath({ steps, group }: Ast, start: Here | null, depth: number): void {
    let here = start;
    for (const step of Array.isArray(steps) ? (steps as Ast[]) : []) {
      const { type, value, stages, predicate, terms, focus } = step;
      if (type === 'name' && typeof value === 'string') here = go(here, value);
      else if (type === 'variable') here = value === '' ? here : value === '$' ? { fields: root, path: '' } : null;
      else if (type === 'sort') walk(terms, here, depth + 1);
      else {
        walk(step, here, depth + 1);
        here = null;
      }
      walk([stages, predicate], here, depth + 1);
      // `a@$v.b`: b is beside a.
      if (focus !== undefined) here = null;
    }
    walk(group, here, depth + 1);
  }

  function go(here: Here | null, name: string): Here | null {
    // Secrets are beside the input, where they may be named.
    if (here === null || (here.path === '' && name === 'secrets')) return null;
    const path = here.path === '' ? name : `${here.path}.${name}`;
    const schema = fieldSchema(here.fields, name);
    if (schema === undefined) {
      found.set(path, { field: path, suggestion: closestWord(name, Object.keys(here.fields.properties)) });
      return null;
    }
    const fields = readsAsFields(schema);
    return fields === null ? null : { fields, path };
  }
}

interface Here {
  readonly fields: Fields;
  readonly path: string;
}
