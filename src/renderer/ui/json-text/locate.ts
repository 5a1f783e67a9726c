import type { JsonNode, Member } from './scan.ts';

/** Where things are in a document: by JSON pointer (RFC 6901) and by cursor. */

export type Path = readonly (string | number)[];

export interface Range {
  readonly from: number;
  readonly to: number;
}

export const pointerFromPath = (path: Path): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
export const pointerSteps = (pointer: string): string[] =>
  pointer === ''
    ? []
    : pointer
        .slice(1)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The member of a name; the last one wins, as in `JSON.parse`. */
export const findMember = (node: JsonNode | null | undefined, key: string): Member | undefined =>
  node?.kind === 'object' ? node.members.findLast((member) => member.key === key) : undefined;
export const memberValue = (node: JsonNode | null | undefined, key: string): JsonNode | null =>
  findMember(node, key)?.value ?? null;
export const arrayItems = (node: JsonNode | null | undefined): readonly JsonNode[] =>
  node?.kind === 'array' ? node.items : [];
export const stringValue = (node: JsonNode | null | undefined): string | null =>
  node?.kind === 'string' ? node.value : null;

/**
 * The text that a pointer names. Where the last steps are not there (a missing property), the nearest thing that is:
 * for an object or list that is its opening brace alone, so that a mark does not cover the whole document.
 */
export function rangeAtPointer(root: JsonNode | null, pointer: string): Range {
  if (root === null) return { from: 0, to: 0 };
  let node: JsonNode = root;
  let key: Range | null = null;
  for (const step of pointerSteps(pointer)) {
    if (node.kind === 'object') {
      const member = findMember(node, step);
      if (!member) break;
      key = { from: member.keyFrom, to: member.keyTo };
      if (member.value === null) return key;
      node = member.value;
    } else if (node.kind === 'array') {
      const item: JsonNode | undefined = node.items[Number(step)];
      if (!item) break;
      key = null;
      node = item;
    } else break;
  }
  if (node.kind !== 'object' && node.kind !== 'array') return { from: node.from, to: node.to };
  return key ?? { from: node.from, to: node.from + 1 };
}

export interface CursorContext {
  /** `key`: a property name is due in the object at `path`. `value`: the value at `path` is due. */
  readonly role: 'key' | 'value';
  readonly path: Path;
  /** What stands there already, and would be replaced. */
  readonly token: Range | null;
  /** The object or list around the cursor; null at the top. */
  readonly around: JsonNode | null;
  /** For a key: whether its colon is there already. */
  readonly colon: boolean;
}

/** What is due at an offset, or null where nothing can be completed (after a finished value). */
export function contextAt(root: JsonNode | null, offset: number): CursorContext | null {
  if (root === null) return { role: 'value', path: [], token: null, around: null, colon: false };
  const path: (string | number)[] = [];
  let node = root;
  for (;;) {
    if (node.kind === 'object') {
      const found = inObject(node, offset, path);
      if (!('into' in found)) return found.place;
      path.push(found.step);
      node = found.into;
    } else if (node.kind === 'array') {
      const index = node.items.findIndex((item) => offset <= item.to && offset >= item.from);
      const item = node.items[index];
      if (!item)
        return {
          role: 'value',
          path: [...path, node.items.filter((i) => i.to < offset).length],
          token: null,
          around: node,
          colon: false,
        };
      if (!holds(item, offset)) return leaf(item, node, [...path, index], offset);
      path.push(index);
      node = item;
    } else return leaf(node, null, path, offset);
  }
}

/** Strictly inside an object or list. */
const holds = (node: JsonNode, offset: number): boolean =>
  (node.kind === 'object' || node.kind === 'array') &&
  offset > node.from &&
  (node.closed ? offset < node.to : offset <= node.to);

function leaf(node: JsonNode, around: JsonNode | null, path: Path, offset: number): CursorContext | null {
  if (node.kind === 'object' || node.kind === 'array') return null;
  if (offset < node.from || offset > node.to) return null;
  return { role: 'value', path, token: node, around, colon: false };
}

function inObject(
  node: Extract<JsonNode, { kind: 'object' }>,
  offset: number,
  path: Path,
): { place: CursorContext | null } | { into: JsonNode; step: string } {
  for (const member of node.members) {
    if (offset >= member.keyFrom && offset <= member.keyTo) {
      return {
        place: {
          role: 'key',
          path,
          token: { from: member.keyFrom, to: member.keyTo },
          around: node,
          colon: member.colon,
        },
      };
    }
    const value = member.value;
    if (value && offset >= value.from && offset <= value.to) {
      if (holds(value, offset)) return { into: value, step: member.key };
      return { place: leaf(value, node, [...path, member.key], offset) };
    }
  }
  const before = node.members.findLast((member) => member.keyTo < offset);
  if (before?.colon && before.value === null)
    return { place: { role: 'value', path: [...path, before.key], token: null, around: node, colon: false } };
  if (before?.value && offset <= before.value.from)
    return { place: { role: 'value', path: [...path, before.key], token: null, around: node, colon: false } };
  return { place: { role: 'key', path, token: null, around: node, colon: false } };
}
