import type { ValueChange, ValueComparison } from '../../../../contract/comparisons.ts';
import type { Limits } from '../../../../contract/limits.ts';
import { diffPathText, jsonDiff, type JsonChange } from '../../../../lib/json-diff.ts';
import { parseJson } from '../../../../lib/json.ts';
import type { ReadHandle } from '../../../store/port.ts';
import { whole } from '../../../store/whole.ts';
import { PAYLOAD } from '../../engine/sql.ts';

/** Characters of one value that a change shows. */
const SHOWN = 1000;
/** Values that one difference may look at: some hundred milliseconds. */
const STEPS = 5_000_000;
/** Texts that differ are held together as values only so often in one comparison, and only where they are no longer than this. */
const PARSED_PAIRS = 2000;
const PARSED_CHARACTERS = 64 * 1024;

/** One side of a pair of payloads: the text that stands in the row, or the number of the one that stands apart. */
export interface Payload {
  readonly text: string | null;
  readonly apart: number | null;
}

/** Compares payloads of tasks within a number of bytes. */
export interface PayloadCompare {
  /** True where they are the same value; null: not looked at any more. */
  same(here: Payload, there: Payload): boolean | null;
  /** Where they differ first. */
  first(here: Payload, there: Payload): ValueChange | null;
  /** The status that an `http` node was answered with, as JSON text; null: it tells none. */
  status(payload: Payload): string | null;
}

export function openPayloads(read: ReadHandle, bytes: number): PayloadCompare {
  let left = bytes;
  let pairs = PARSED_PAIRS;
  const textOf = ({ text, apart }: Payload): string => {
    const found =
      text ?? (apart === null ? 'null' : (read.query<{ text: string }>(PAYLOAD).get(apart)?.text ?? 'null'));
    left -= found.length;
    return whole(found);
  };
  return {
    same(here, there) {
      if (here.text !== null && here.text === there.text) return true;
      if (left <= 0) return null;
      const [a, b] = [textOf(here), textOf(there)];
      if (a === b) return true;
      // The same value may be written otherwise: other order of its names, say.
      if (a.length !== b.length || a.length > PARSED_CHARACTERS || pairs-- <= 0) return false;
      return jsonDiff(parseJson(b), parseJson(a), { changes: 1, steps: STEPS }).changes.length === 0;
    },
    first(here, there) {
      const [a, b] = [textOf(here), textOf(there)];
      const [change] = jsonDiff(parseJson(b), parseJson(a), { changes: 1, steps: STEPS }).changes;
      return change ? changeView(change) : null;
    },
    status(payload) {
      const status = parseJson<{ status?: unknown } | null>(textOf(payload))?.status;
      return typeof status === 'number' ? String(status) : null;
    },
  };
}

/** The difference of two JSON texts, `before` and `after`. */
export function compareTexts(
  before: string,
  after: string,
  { compareChanges }: Pick<Limits, 'compareChanges'>,
): ValueComparison {
  const bytes = { here: Buffer.byteLength(after), there: Buffer.byteLength(before) };
  if (before === after) return { bytes, changes: [], complete: true };
  const { changes, complete } = jsonDiff(parseJson(before), parseJson(after), {
    changes: compareChanges,
    steps: STEPS,
  });
  return { bytes, changes: changes.map(changeView), complete };
}

const changeView = ({ op, path, before, after }: JsonChange): ValueChange => ({
  op,
  path: diffPathText(path),
  before: op === 'added' ? null : shown(before),
  after: op === 'removed' ? null : shown(after),
});

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
