import { isRawNumber } from '../../lib/json.ts';

/** One line of the tree as it is unfolded now. */
export interface JsonRow {
  /** JSON pointer. */
  path: string;
  depth: number;
  /** Name in an object, index in an array, null for the root. */
  name: string | number | null;
  kind: 'object' | 'array' | 'string' | 'number' | 'atom';
  /** Text of a leaf; of a branch what is inside. */
  text: string;
  /** Members of a branch; -1 for a leaf. */
  size: number;
  open: boolean;
  value: unknown;
}

/** A branch with more members starts folded, whatever its depth: opening thousands of lines helps nobody. */
const OPEN_MEMBERS = 100;

/** True where a branch starts open. */
export const startsOpen = (value: object, depth: number, openDepth: number): boolean => depth < openDepth && Object.keys(value).length <= OPEN_MEMBERS;

/** The lines in sight: walks open branches only, so that a large value costs what is looked at. */
export function rowsOf(value: unknown, isOpen: (path: string, depth: number, value: object) => boolean): JsonRow[] {
  const rows: JsonRow[] = [];
  const walk = (inner: unknown, path: string, depth: number, name: string | number | null) => {
    if (inner === null || typeof inner !== 'object' || isRawNumber(inner)) {
      rows.push({ path, depth, name, ...leaf(inner), size: -1, open: false, value: inner });
      return;
    }
    const list = Array.isArray(inner);
    const size = list ? inner.length : Object.keys(inner).length;
    const open = size > 0 && isOpen(path, depth, inner);
    rows.push({ path, depth, name, kind: list ? 'array' : 'object', text: size === 0 ? (list ? '[]' : '{}') : list ? `${size} item${size === 1 ? '' : 's'}` : `${size} key${size === 1 ? '' : 's'}`, size, open, value: inner });
    if (!open) return;
    if (list) inner.forEach((each, i) => walk(each, `${path}/${i}`, depth + 1, i));
    else for (const [key, each] of Object.entries(inner)) walk(each, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1, key);
  };
  walk(value, '', 0, null);
  return rows;
}

function leaf(value: unknown): { kind: JsonRow['kind']; text: string } {
  if (isRawNumber(value)) return { kind: 'number', text: value.rawJSON };
  if (typeof value === 'string') return { kind: 'string', text: JSON.stringify(value) };
  if (typeof value === 'number') return { kind: 'number', text: String(value) };
  return { kind: 'atom', text: String(value) };
}
