/** Items and characters of one part of a list: the master reads a part in about a millisecond. */
const ITEMS = 500;
const CHARACTERS = 64 * 1024;

/** The parts in which the list of a forEach is reported: `first` is the index of the first item. There is at least one. */
export function partsOf(texts: readonly string[]): { first: number; items: string; more: boolean }[] {
  const parts: { first: number; items: string; more: boolean }[] = [];
  let at = 0;
  do {
    const first = at;
    let characters = 0;
    while (at < texts.length && at - first < ITEMS && (at === first || characters < CHARACTERS))
      characters += (texts[at++] as string).length;
    parts.push({ first, items: `[${texts.slice(first, at).join(',')}]`, more: at < texts.length });
  } while (at < texts.length);
  return parts;
}
