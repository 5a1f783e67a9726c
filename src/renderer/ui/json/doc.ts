import { eachMember, isBranch, type Kind, kindAt, memberAt, skipSpace, stringEnd, valueEnd } from './scan.ts';
import { findTokens } from './find.ts';

/** One line of the tree as it is unfolded now. */
export interface JsonRow {
  /** Place of the value in the text: it names the line for good. */
  readonly at: number;
  readonly depth: number;
  /** Name in an object, index in a list, null for the root. */
  readonly name: string | number | null;
  readonly kind: Kind;
  /** Of a leaf its text as it was sent, the first `SHOWN` characters of it. */
  readonly text: string;
  /** Characters of a leaf's text. */
  readonly length: number;
  /** Members of a branch; -1 for a leaf. */
  readonly size: number;
  readonly open: boolean;
}

/** Characters of one text that are drawn; a copy has them all. */
export const MAX_DRAWN_CHARACTERS = 2000;
/** A branch with more members starts folded, whatever its depth: opening thousands of lines helps nobody. */
const MAX_OPEN = 100;
/** Deeper branches are opened one by one. */
export const MAX_DEPTH = 64;

/** Characters. */
const WORTH_KEEPING = 2000;

interface Branch {
  readonly at: number;
  readonly depth: number;
  readonly object: boolean;
  /** Three for each member: its key (-1 in a list), its value, the end of that. */
  readonly members: Int32Array;
  /** Lines before each member beneath this branch; the last one is all of them. */
  readonly before: Int32Array;
}

/**
 * A JSON text to be unfolded. Lines are counted by walking over the text; only branches on the way to what is looked at are
 * remembered. `member`: show this member of the text's object alone. Throws `SyntaxError` where the text is no JSON.
 */
export function createJsonDoc(
  text: string,
  { levels = 2, member }: { levels?: number; member?: string | undefined } = {},
) {
  const whole = skipSpace(text, 0);
  const rootAt = member === undefined ? whole : memberAt(text, whole, member);
  if (rootAt === -1) throw new SyntaxError(`Expected an object with the member ${member}`);
  let rootEnd = -1;
  const endOfRoot = (): number => (rootEnd === -1 ? (rootEnd = valueEnd(text, rootAt)) : rootEnd);
  const sizes = new Map<number, number>();
  const turned = new Map<number, boolean>();
  let branches = new Map<number, Branch>();
  let open = { levels, most: MAX_OPEN };

  // Short ones are counted again sooner than they are looked up.
  const keepSize = (at: number, close: number, size: number) =>
    void (close - at > WORTH_KEEPING && sizes.set(at, size));
  function sizeAt(at: number): number {
    const known = sizes.get(at);
    if (known !== undefined) return known;
    let size = 0;
    const close = eachMember(text, at, (_key, value) => (size++, valueEnd(text, value)));
    keepSize(at, close, size);
    return size;
  }
  const isOpen = (at: number, depth: number): boolean =>
    turned.get(at) ?? (depth < open.levels && (open.most === Infinity || sizeAt(at) <= open.most));

  // Where the value that was walked over last ends.
  let end = 0;
  /** Lines that a value takes as it is unfolded. */
  function linesOf(at: number, depth: number): number {
    if (!isBranch(text, at)) return ((end = valueEnd(text, at)), 1);
    const known = branches.get(at);
    const own = turned.get(at);
    if (own === false || (own === undefined && depth >= open.levels)) return ((end = valueEnd(text, at)), 1);
    if (known !== undefined && isOpen(at, depth)) return ((end = valueEnd(text, at)), 1 + (known.before.at(-1) ?? 0));
    let lines = 1;
    let members = 0;
    const most = own === true ? Infinity : open.most;
    const close = eachMember(text, at, (_key, value) => {
      if (++members > most) return valueEnd(text, value);
      lines += linesOf(value, depth + 1);
      return end;
    });
    end = close;
    keepSize(at, close, members);
    return members > most ? 1 : lines;
  }

  function branchAt(at: number, depth: number): Branch {
    const known = branches.get(at);
    if (known) return known;
    const members: number[] = [];
    const before = [0];
    let lines = 0;
    const close = eachMember(text, at, (key, value) => {
      lines += linesOf(value, depth + 1);
      members.push(key, value, end);
      before.push(lines);
      return end;
    });
    if (at === rootAt) rootEnd = close;
    keepSize(at, close, before.length - 1);
    const made: Branch = {
      at,
      depth,
      object: kindAt(text, at) === 'object',
      members: Int32Array.from(members),
      before: Int32Array.from(before),
    };
    branches.set(at, made);
    return made;
  }

  // Walked over before it is asked how large it is: one walk tells that too.
  function root(): Branch | null {
    if (!isBranch(text, rootAt) || (open.levels === 0 && turned.get(rootAt) !== true)) return null;
    const branch = branchAt(rootAt, 0);
    return isOpen(rootAt, 0) ? branch : null;
  }
  const count = (): number => 1 + (root()?.before.at(-1) ?? 0);

  interface Step {
    readonly branch: Branch;
    readonly index: number;
  }
  /** The branches and members on the way to a line; empty for the root. */
  function wayTo(line: number): Step[] {
    const way: Step[] = [];
    let branch = root();
    let left = line - 1;
    while (left >= 0 && branch !== null) {
      const index = lastAtMost(branch.before, left);
      way.push({ branch, index });
      left -= (branch.before[index] ?? 0) + 1;
      if (left < 0) break;
      branch = branchAt(branch.members[index * 3 + 1] ?? 0, branch.depth + 1);
    }
    return way;
  }
  const valueOf = (step: Step | undefined): { at: number; to: number } =>
    step === undefined
      ? { at: rootAt, to: endOfRoot() }
      : {
          at: step.branch.members[step.index * 3 + 1] ?? 0,
          to: step.branch.members[step.index * 3 + 2] ?? 0,
        };
  const nameOf = ({ branch, index }: Step): string | number => {
    const key = branch.members[index * 3] ?? 0;
    return key < 0 ? index : JSON.parse(text.slice(key, stringEnd(text, key)));
  };

  function rowAt(line: number): JsonRow {
    const way = wayTo(line);
    const step = way.at(-1);
    const { at, to } = valueOf(step);
    const kind = kindAt(text, at);
    const branch = kind === 'object' || kind === 'array';
    const size = branch ? sizeAt(at) : -1;
    return {
      at,
      depth: way.length,
      name: step === undefined ? null : nameOf(step),
      kind,
      text: branch ? '' : text.slice(at, Math.min(to, at + MAX_DRAWN_CHARACTERS)),
      length: to - at,
      size,
      open: size > 0 && isOpen(at, way.length),
    };
  }

  /** The lines of a member have become others: those after it, and of all it lies in, move. */
  function turn(way: readonly Step[], at: number, next: boolean): void {
    const depth = way.length;
    const before = linesOf(at, depth);
    turned.set(at, next);
    const more = linesOf(at, depth) - before;
    for (const { branch, index } of way)
      for (let i = index + 1; i < branch.before.length; i++) branch.before[i] = (branch.before[i] ?? 0) + more;
  }

  /** Opens what a place in the text lies in; answers its line. */
  function reveal(place: number): number {
    let line = 0;
    const way: Step[] = [];
    let at = rootAt;
    while (isBranch(text, at) && at !== place) {
      if (!isOpen(at, way.length)) turn(way, at, true);
      const branch = branchAt(at, way.length);
      let index = 0;
      for (let low = 0, high = branch.members.length / 3 - 1; low <= high;) {
        const middle = (low + high) >> 1;
        if ((branch.members[middle * 3 + 2] ?? 0) <= place) low = middle + 1;
        else {
          index = middle;
          high = middle - 1;
        }
      }
      if (branch.members.length === 0) break;
      line += 1 + (branch.before[index] ?? 0);
      const value = branch.members[index * 3 + 1] ?? 0;
      // In the key, or in a leaf.
      if (place < value || !isBranch(text, value)) break;
      way.push({ branch, index });
      at = value;
    }
    return line;
  }

  return {
    count,
    /** Characters of the value. */
    length: (): number => endOfRoot() - rootAt,
    rows: (from: number, to: number): JsonRow[] =>
      Array.from({ length: Math.max(0, Math.min(to, count()) - from) }, (_, i) => rowAt(from + i)),
    /** Folds or unfolds the branch of a line. */
    turn(line: number, next: boolean): void {
      const way = wayTo(line);
      const { at } = valueOf(way.at(-1));
      if (isBranch(text, at)) turn(way, at, next);
    },
    /** Unfolds so many levels, however many members; 0 folds all. */
    unfold(to: number): void {
      turned.clear();
      branches = new Map();
      open = { levels: Math.min(to, MAX_DEPTH), most: Infinity };
    },
    /** Line of the branch that a line is in; -1 for the root. */
    parentOf(line: number): number {
      const way = wayTo(line);
      if (way.length === 0) return -1;
      return way.slice(0, -1).reduce((sum, { branch, index }) => sum + 1 + (branch.before[index] ?? 0), 0);
    },
    /** Names from the root to a line. */
    pathOf: (line: number): (string | number)[] => wayTo(line).map(nameOf),
    /** A value to copy: a text as what it says, all else to the letter as it was sent. */
    textOf(line: number): string {
      const { at, to } = valueOf(wayTo(line).at(-1));
      return kindAt(text, at) === 'string' ? JSON.parse(text.slice(at, to)) : text.slice(at, to);
    },
    find: (what: string, most: number) => findTokens(text, rootAt, endOfRoot(), what, most),
    reveal,
  };
}
export type JsonDoc = ReturnType<typeof createJsonDoc>;

/** The last index whose value is at most `wanted`. */
function lastAtMost(sorted: Int32Array, wanted: number): number {
  let low = 0;
  let high = sorted.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sorted[middle] ?? 0) <= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}
