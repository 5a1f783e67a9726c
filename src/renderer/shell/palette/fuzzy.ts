/**
 * How well a text answers what was typed: all its words, each as a run of letters in order, in any case. Higher is better;
 * null where it does not. A whole match beats the start of a word, which beats letters that lie apart.
 */
export function fuzzy(query: string, text: string): number | null {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const target = text.toLowerCase();
  let score = 0;
  for (const word of words) {
    const one = wordScore(word, target);
    if (one === null) return null;
    score += one;
  }
  // Of two that match alike, the shorter says more.
  return score - Math.min(text.length, 100) / 100;
}

function wordScore(word: string, target: string): number | null {
  const at = target.indexOf(word);
  if (at >= 0) return 100 + word.length * 4 + (at === 0 ? 40 : isStart(target, at) ? 25 : 0);
  let score = 0;
  let from = 0;
  for (const letter of word) {
    const found = nextOf(target, letter, from);
    if (found < 0) return null;
    score += from > 0 && found === from ? 6 : isStart(target, found) ? 5 : 1;
    from = found + letter.length;
  }
  // Letters that are strewn over a long text are no answer.
  return score >= word.length * 3 ? score : null;
}

/** The letter right here, else at the next start of a word, else wherever it comes next. */
function nextOf(target: string, letter: string, from: number): number {
  if (from > 0 && target.startsWith(letter, from)) return from;
  const first = target.indexOf(letter, from);
  for (let at = first; at >= 0; at = target.indexOf(letter, at + 1)) if (isStart(target, at)) return at;
  return first;
}

const isStart = (text: string, at: number): boolean => at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? ' ');
