/**
 * How well a text answers what was typed: all its words, each as a run of letters in order, in any case. Higher is better;
 * null where it does not. A whole match beats the start of a word, which beats letters that lie apart.
 */
export function fuzzy(query: string, text: string): number | null {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== '');
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
  let before = -2;
  for (const letter of word) {
    const found = target.indexOf(letter, from);
    if (found < 0) return null;
    score += found === before + 1 ? 6 : isStart(target, found) ? 5 : 1;
    before = found;
    from = found + 1;
  }
  // Letters that are strewn over a long text are no answer.
  return score >= word.length * 3 ? score : null;
}

const isStart = (text: string, at: number): boolean => at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? ' ');
