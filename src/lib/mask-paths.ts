import { HIDDEN_PAYLOAD, MASKED_VALUE } from '../contract/tasks.ts';
import { isRawNumber, parseJson } from './json.ts';
import { isRecord } from './is-record.ts';

/** Names of members on the way to a field; elements of arrays have none. */
export type MaskPath = readonly string[];

/** `$.customer.iban`, `customer.iban`, `items[*].sku`: the same as without what stands for arrays. */
export const maskPathOf = (text: string): MaskPath =>
  text
    .replace(/^\$\.?/, '')
    .replaceAll('[*]', '')
    .split('.');

/** Members of answers that are payloads. */
const PAYLOADS: ReadonlySet<string> = new Set(['input', 'inputs', 'output']);

/**
 * JSON text with what the paths lead to masked, however deep the path begins: what a field is named it is named in every node.
 * `whole`: it is a payload from end to end; else payloads stand in members of that name, where one that was cut for a list
 * (a text that ends in `…`) is hidden, because nothing leads through it.
 */
export function maskPaths(json: string, paths: readonly MaskPath[], whole: boolean): string {
  const value: unknown = parseJson(json);
  return JSON.stringify(whole ? masked(value, paths, paths) : inAnswer(value, paths));
}

function inAnswer(value: unknown, paths: readonly MaskPath[]): unknown {
  if (Array.isArray(value)) return value.map((item) => inAnswer(item, paths));
  if (!isRecord(value) || isRawNumber(value)) return value;
  return mapMembers(value, (name, member) => {
    if (!PAYLOADS.has(name)) return inAnswer(member, paths);
    return typeof member === 'string' && member.endsWith('…') ? HIDDEN_PAYLOAD : masked(member, paths, paths);
  });
}

/** `open`: the rests of the paths that lead here. */
function masked(value: unknown, paths: readonly MaskPath[], open: readonly MaskPath[]): unknown {
  if (Array.isArray(value)) return value.map((item) => masked(item, paths, open));
  if (!isRecord(value) || isRawNumber(value)) return value;
  return mapMembers(value, (name, member) => {
    const next = open.flatMap((path) => (path[0] === name ? [path.slice(1)] : []));
    return next.some((rest) => rest.length === 0) ? MASKED_VALUE : masked(member, paths, [...next, ...paths]);
  });
}

const mapMembers = (
  value: Readonly<Record<string, unknown>>,
  map: (name: string, member: unknown) => unknown,
): Record<string, unknown> => {
  // No prototype: a member may be called `__proto__`.
  const made = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(value)) made[name] = map(name, value[name]);
  return made;
};
