import { t, tn } from '../../../../lib/language.ts';
import { freshId, innerTypeDocs, nodeTypeDocs, nodeTypeDoc } from './node-types.ts';
import { findMember, contextAt, stringValue, memberValue, type CursorContext } from '../../../ui/json-text/locate.ts';
import { scanJson, type JsonNode } from '../../../ui/json-text/scan.ts';
import { innerType, typedNodes, schemaAt, typeAround } from './schema.ts';
import type { Schema } from '../../../ui/json-text/check.ts';
import { starterText } from './starter.ts';

/** One offer. `insert` is a snippet: `${…}` is a field to fill in, `${}` where the cursor ends. */
export interface Offer {
  readonly label: string;
  readonly kind: 'property' | 'value' | 'type' | 'node' | 'snippet';
  readonly detail: string;
  readonly insert: string;
  readonly rank: number;
}
export interface Offers {
  readonly from: number;
  readonly to: number;
  readonly offers: Offer[];
}

/** What the master knows that a definition may name. */
export interface KnownNames {
  readonly workflows: readonly { readonly id: string; readonly name: string }[];
  /** Handlers that workers have registered, with how many of them have. */
  readonly handlers: readonly { readonly name: string; readonly workers: number }[];
}
const offer = (kind: Offer['kind'], label: string, detail: string, insert: string, rank = 1): Offer => ({
  label,
  kind,
  detail,
  insert,
  rank,
});
const NOTHING: KnownNames = { workflows: [], handlers: [] };

/** What fits at an offset of a definition; null where nothing does. */
export function completeDefinition(text: string, offset: number, names: KnownNames = NOTHING): Offers | null {
  const { root } = scanJson(text);
  const place = contextAt(root, offset);
  if (place === null) return null;
  const from = place.token?.from ?? offset;
  const to = place.token === null ? offset : Math.max(place.token.to, offset);
  const offers = place.role === 'key' ? keyOffers(root, place, text, to) : valueOffers(root, place, names);
  return offers.length === 0 ? null : { from, to, offers };
}

function keyOffers(root: JsonNode | null, place: CursorContext, text: string, end: number): Offer[] {
  const schema = schemaAt(root, place.path);
  const own = place.token === null ? null : text.slice(place.token.from, place.token.to);
  const comma = place.colon || !needsComma(place, text, end) ? '' : ',';
  return Object.entries(schema?.properties ?? {})
    .filter(([key]) => findMember(place.around, key) === undefined || own === `"${key}"`)
    .map(([key, value]) =>
      offer(
        'property',
        key,
        value.description ?? kindOf(value),
        place.colon ? `"${key}"` : `"${key}": ${blank(root, [...place.path, key], value)}${comma}`,
        schema?.required?.includes(key) ? 2 : 1,
      ),
    );
}

/** Another property follows on, so the new one has to end in a comma. */
function needsComma(place: CursorContext, text: string, end: number): boolean {
  if (place.around?.kind !== 'object') return false;
  return place.around.members.some((member) => member.keyFrom >= end) && !/^\s*,/.test(text.slice(end, end + 200));
}

function valueOffers(root: JsonNode | null, place: CursorContext, names: KnownNames): Offer[] {
  const [top, , third] = place.path;
  const depth = place.path.length;
  const nodes = typedNodes(root);
  if (depth === 0)
    return [offer('snippet', t('new definition'), t('An input, a transform and an output'), starterSnippet(), 3)];
  if (top === 'nodes' && depth === 2)
    return nodeTypeDocs.map((doc) =>
      offer('node', doc.type, doc.summary, nodeSnippet(doc.type, new Set(nodes.map((n) => n.id)))),
    );
  if (top === 'nodes' && depth === 3 && third === 'type')
    return nodeTypeDocs.map((doc) => offer('type', doc.type, doc.summary, JSON.stringify(doc.type)));
  if (top === 'edges' && depth === 2)
    return [
      offer(
        'snippet',
        t('edge'),
        t('Passes the output of one node to another'),
        '{ "from": "${from}", "to": "${to}" }',
        2,
      ),
    ];
  if (top === 'edges' && third === 'port') return portOffers(place.around, nodes);
  if ((top === 'edges' && (third === 'from' || third === 'to')) || (top === 'output' && depth === 1)) {
    const wanted = top === 'output' ? 'output' : null;
    return nodes
      .filter((node) => (third === 'from' ? node.type !== 'output' : third === 'to' ? node.type !== 'input' : true))
      .map((node) => offer('value', node.id, node.type ?? 'node', literal(node.id), node.type === wanted ? 2 : 1));
  }
  if (top === 'nodes' && third === 'config') {
    const known = configOffers(root, place, names);
    if (known !== null) return known;
  }
  return schemaOffers(schemaAt(root, place.path));
}

/** Names that only the master knows, and the types that an inner node may have; null: the schema says it all. */
function configOffers(root: JsonNode | null, { path }: CursorContext, names: KnownNames): Offer[] | null {
  if (path[3] === 'node' && path.length === 5 && path[4] === 'type')
    return innerTypeDocs.map((doc) => offer('type', doc.type, doc.summary, JSON.stringify(doc.type)));
  if (path[3] === 'node' && path.length === 4)
    return innerTypeDocs.map((doc) =>
      offer('snippet', doc.type, doc.summary, literal({ type: doc.type, config: doc.config })),
    );
  const type = typeAround(root, path);
  const key = path.at(-1);
  if (type === 'workflow' && key === 'workflowId')
    return names.workflows.map(({ id, name }) => offer('value', id, name, literal(id)));
  if (type === 'handler' && key === 'handler')
    return names.handlers.map(({ name, workers }) =>
      offer('value', name, tn('on {count} worker', 'on {count} workers', workers), literal(name)),
    );
  return null;
}

function portOffers(edge: JsonNode | null, nodes: readonly { id: string; type: string | null }[]): Offer[] {
  const from = stringValue(memberValue(edge, 'from'));
  const before = nodes.find((node) => node.id === from);
  if (before && before.type !== 'condition') return [];
  return ['true', 'false'].map((port) =>
    offer('value', port, t('Taken if the condition is {port}', { port }), JSON.stringify(port)),
  );
}

function schemaOffers(schema: Schema | undefined): Offer[] {
  if (!schema) return [];
  const values =
    schema.anyOf?.flatMap((one) => (one.const === undefined ? [] : [one.const])) ??
    (schema.const === undefined ? [] : [schema.const]);
  const all = schema.type === 'boolean' ? [true, false] : values;
  return all.map((value) => offer('value', String(value), schema.description ?? '', literal(value)));
}

const kindOf = (schema: Schema): string => schema.type ?? (schema.anyOf ? t('one of several') : t('any value'));

/** A value as text of a snippet: its braces are escaped, so that none opens a field. */
const literal = (value: unknown): string => JSON.stringify(value).replaceAll(/[{}]/g, '\\$&');

/** The empty value that a new property starts with. */
function blank(root: JsonNode | null, path: readonly (string | number)[], schema: Schema): string {
  if (schema.const !== undefined) return literal(schema.const);
  if (path[0] === 'nodes' && path[2] === 'config' && path.length === 3) return configSnippet(nodeTypeOf(root, path));
  if (path[0] === 'nodes' && path[3] === 'node' && path[4] === 'config' && path.length === 5)
    return configSnippet(innerType(root, Number(path[1])));
  const type =
    schema.type ??
    schema.anyOf?.find((one) => one.type !== undefined)?.type ??
    (schema.anyOf?.every((one) => typeof one.const === 'string') ? 'string' : undefined);
  if (type === 'string') return '"${}"';
  if (type === 'object') return '{ ${} }';
  if (type === 'array') return '[\n\t${}\n]';
  return '${}';
}

function nodeTypeOf(root: JsonNode | null, path: readonly (string | number)[]): string | null {
  const nodes = memberValue(root, 'nodes');
  return stringValue(memberValue(nodes?.kind === 'array' ? nodes.items[Number(path[1])] : null, 'type'));
}

function configSnippet(type: string | null): string {
  const config = type === null ? undefined : nodeTypeDoc(type)?.config;
  return config === undefined ? '{ ${} }' : literal(config);
}

/** A whole new node, with an id that is free. */
export function nodeSnippet(type: string, taken: ReadonlySet<string>): string {
  const id = freshId(type, taken);
  const config = nodeTypeDoc(type)?.config ?? {};
  return `{ "id": "\${${id}}", "type": ${literal(type)}, "name": "\${${id}}", "config": ${literal(config)}, "position": { "x": 0, "y": 0 } }`;
}

function starterSnippet(): string {
  const [head = '', tail = ''] = starterText('').split('"name": ""');
  return `${head.replaceAll(/[{}]/g, '\\$&')}"name": "\${name}"${tail.replaceAll(/[{}]/g, '\\$&')}`;
}
