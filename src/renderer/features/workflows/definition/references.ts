import { javascriptLanguage } from '@codemirror/lang-javascript';
import jsonata from 'jsonata';
import { isRecord } from '../../../../lib/is-record.ts';
import type { Definition, WorkflowNode } from '../../../../contract/definition.ts';
import { expressionsIn } from '../../../../lib/template.ts';

/**
 * Lets the expressions that read a node's output by its id follow when the id changes. Behind a join the input is an object
 * keyed by predecessors; `condition` and `delay` hand their input on as it is, so the keys reach what comes after them too.
 */
export function referencesFollow(definition: Definition, id: string, next: string): Definition {
  const readers = readersOf(definition, id);
  if (readers.size === 0) return definition;
  return {
    ...definition,
    nodes: definition.nodes.map((node) =>
      readers.has(node.id) && node.config ? withConfig(node, followed(node, id, next)) : node,
    ),
  };
}

const HANDS_ON: ReadonlySet<string> = new Set(['condition', 'delay']);

/** Nodes whose input has a member of this node's name. */
function readersOf({ nodes, edges }: Definition, id: string): Set<string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const isKeyed = (to: string): boolean =>
    edges.filter((edge) => edge.to === to).length > 1 && byId.get(to)?.join !== 'value';
  const readers = new Set(edges.flatMap((edge) => (edge.from === id && isKeyed(edge.to) ? [edge.to] : [])));
  for (const reader of readers) {
    if (!HANDS_ON.has(byId.get(reader)?.type ?? '')) continue;
    for (const edge of edges) if (edge.from === reader && !isKeyed(edge.to)) readers.add(edge.to);
  }
  return readers;
}

const withConfig = (node: WorkflowNode, config: Record<string, unknown>): WorkflowNode => ({ ...node, config });

function followed(node: WorkflowNode, id: string, next: string): Record<string, unknown> {
  const config = node.config ?? {};
  const expression = (value: unknown) => (typeof value === 'string' ? renameInExpression(value, id, next) : value);
  const texts = (value: unknown) => renameInTexts(value, id, next);
  const change = (keys: readonly string[], how: (value: unknown) => unknown) => ({
    ...config,
    ...Object.fromEntries(keys.flatMap((key) => (Object.hasOwn(config, key) ? [[key, how(config[key])]] : []))),
  });
  switch (node.type) {
    case 'transform':
    case 'condition':
      return change(['expression'], expression);
    case 'forEach':
      return change(['items'], expression);
    case 'template':
      return change(['template'], texts);
    case 'http':
      return change(['url', 'headers', 'query', 'body'], texts);
    case 'code':
      return change(['source'], (value) => (typeof value === 'string' ? renameInCode(value, id, next) : value));
    default:
      return config;
  }
}

interface Place {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}
function replaced(text: string, places: readonly Place[]): string {
  let result = text;
  for (const { from, to, insert } of [...places].sort((a, b) => b.from - a.from))
    result = result.slice(0, from) + insert + result.slice(to);
  return result;
}

const isPlainName = (id: string): boolean =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(id) && !['and', 'or', 'in', 'true', 'false', 'null', 'function'].includes(id);

/** JSONata: names that are read from the input itself (`id.x`, `$.id`, `$$.id`), not those of something inside. One that does not parse stays. */
export function renameInExpression(source: string, id: string, next: string): string {
  let tree: unknown;
  try {
    tree = jsonata(source).ast();
  } catch {
    return source;
  }
  const insert = isPlainName(next) ? next : `\`${next}\``;
  const places = new Map<number, Place>();
  const mark = (step: Step) => {
    const to = step.position ?? 0;
    for (const written of [`\`${id}\``, id])
      if (source.slice(to - written.length, to) === written)
        return void places.set(to, { from: to - written.length, to, insert });
  };
  walk(tree, true, (step) => step.type === 'name' && step.value === id && mark(step));
  return replaced(source, [...places.values()]);
}

interface Step {
  readonly type?: string;
  readonly value?: unknown;
  readonly position?: number;
  readonly steps?: readonly Step[];
}

/** Visits the names that are looked up in the input; `isInput`: whether the context here is the input. */
function walk(node: unknown, isInput: boolean, visit: (step: Step) => void): void {
  if (Array.isArray(node)) for (const one of node) walk(one, isInput, visit);
  if (!isRecord(node)) return;
  const { type, steps, ...rest }: Step = node;
  if (type !== 'path' || !steps) {
    for (const inner of Object.values(rest)) walk(inner, isInput, visit);
    return;
  }
  let here = isInput;
  for (const [index, step] of steps.entries()) {
    const { type: kind, value } = step;
    if (here && kind === 'name') visit(step);
    for (const [key, inner] of Object.entries(step))
      if (key !== 'type' && key !== 'value') walk(inner, kind === 'name' || kind === 'variable' ? false : here, visit);
    // `$` is the context and `$$` the input: the step after them reads from it.
    here = index === 0 && kind === 'variable' && (value === '$' || (value === '' && isInput));
  }
  for (const inner of Object.values(rest)) walk(inner, false, visit);
}

/** JavaScript: `input.id`, `input?.id` and `input['id']`. */
export function renameInCode(source: string, id: string, next: string): string {
  const places: Place[] = [];
  const member = /^[A-Za-z_$][\w$]*$/.test(next);
  javascriptLanguage.parser.parse(source).iterate({
    enter({ name, node, from, to }) {
      if (
        name !== 'MemberExpression' ||
        node.firstChild?.name !== 'VariableName' ||
        source.slice(node.firstChild.from, node.firstChild.to) !== 'input'
      )
        return;
      const key = node.getChild('PropertyName') ?? node.getChild('String');
      if (!key) return;
      const text = source.slice(key.from, key.to);
      if (key.name === 'PropertyName' ? text !== id : text.slice(1, -1) !== id) return;
      const isOptional = source.slice(node.firstChild.to, key.from).includes('?.');
      if (key.name === 'String') places.push({ from: key.from, to: key.to, insert: JSON.stringify(next) });
      else if (member) places.push({ from: key.from, to: key.to, insert: next });
      else places.push({ from, to, insert: `input${isOptional ? '?.' : ''}[${JSON.stringify(next)}]` });
    },
  });
  return replaced(source, places);
}

/** Every `{{ JSONata }}` in the texts of a value. */
function renameInTexts(value: unknown, id: string, next: string): unknown {
  if (typeof value === 'string') return renameInTemplate(value, id, next);
  if (Array.isArray(value)) return value.map((one) => renameInTexts(one, id, next));
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, renameInTexts(inner, id, next)]));
}

export function renameInTemplate(text: string, id: string, next: string): string {
  let result = '';
  let at = 0;
  for (const { from, to } of expressionsIn(text)) {
    result += text.slice(at, from) + renameInExpression(text.slice(from, to), id, next);
    at = to;
  }
  return result + text.slice(at);
}
