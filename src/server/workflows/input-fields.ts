import { isRecord } from '../../lib/is-record.ts';

/** An object that a schema names all fields of. */
export interface Fields {
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Keywords by which a schema may have more fields than it lists. */
const OPEN = ['$ref', '$dynamicRef', 'anyOf', 'oneOf', 'allOf', 'not', 'if', 'patternProperties', 'dependentSchemas'];
/** Lists within lists: expressions walk through them. */
const MOST_LISTS = 8;

/** The fields of what a schema describes, of the items where it is a list; null: they are not known. */
export function readsAsFields(schema: unknown): Fields | null {
  let here = schema;
  for (let i = 0; i < MOST_LISTS && isRecord(here) && here['properties'] === undefined; i++) here = here['items'];
  if (!isRecord(here) || OPEN.some((word) => here[word] !== undefined)) return null;
  const { properties, additionalProperties } = here;
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  return isOpen || !isRecord(properties) || Object.keys(properties).length === 0 ? null : { properties };
}

/** The schema of a field; undefined: there is no such field. */
export const fieldSchema = ({ properties }: Fields, name: string): unknown =>
  Object.hasOwn(properties, name) ? properties[name] : undefined;

/** Letters that may be wrong in a name that is meant. */
const WRONG = 2;

/** The word that is most like one; null: none is. */
export function closestWord(word: string, words: readonly string[]): string | null {
  const distances = words
    .map((one) => ({ one, distance: distanceBetween(word.toLowerCase(), one.toLowerCase()) }))
    .filter(({ one, distance }) => distance <= WRONG && distance < Math.max(one.length, word.length) / 2)
    .toSorted((a, b) => a.distance - b.distance);
  return distances[0]?.one ?? null;
}

/** Letters to add, take away, change or swap with the next. Words that differ much in length are far apart. */
function distanceBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > WRONG || a.length > 64) return WRONG + 1;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      rows[i]?.push(
        Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + Number(!isSame),
          isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(a.length, b.length);
}
