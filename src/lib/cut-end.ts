/** What stands at the end of a text that was cut to a length. */
export const CUT = '…';

/** Letters and digits that must be there of a core: fewer are there by chance. */
const LEAST = 6;
/** Characters before the cut in which it may begin. */
const LOOKED_AT = 1024;

/**
 * Gives where a core begins that goes on behind the cut of a text (`end`), so that only its beginning is there, and its name;
 * null: none does.
 */
export function createCutSearch(
  cores: ReadonlyMap<string, string>,
): (text: string, end: number) => [number, string] | null {
  const byStart = new Map<string, string[]>();
  for (const core of cores.keys()) {
    const start = core.slice(0, LEAST);
    const same = byStart.get(start);
    if (same) same.push(core);
    else byStart.set(start, [core]);
  }
  return (text, end) => {
    const from = Math.max(0, end - LOOKED_AT);
    const places: number[] = [];
    let left = '';
    for (let at = from; at < end; at++) {
      const letter = text[at] ?? '';
      if (!/[0-9A-Za-z]/.test(letter)) continue;
      left += letter.toLowerCase();
      places.push(at);
    }
    for (let at = 0; at + LEAST <= left.length; at++) {
      const rest = left.slice(at);
      const core = byStart.get(rest.slice(0, LEAST))?.find((one) => one.length > rest.length && one.startsWith(rest));
      if (core !== undefined) return [places[at] ?? end, cores.get(core) ?? ''];
    }
    return null;
  };
}
