import { itemAt } from './item-at.ts';

/** Steps of the program that an expression may become: what it costs to build it, and for each character of a text. */
export const PROGRAM_SIZE = 2000;

/**
 * How large an expression is once its counted repetitions are written out: `(ab){50}` is 100. It only counts, and takes
 * what is wrong as it comes; an expression that is right is never counted too small.
 */
export function programSize(pattern: string): number {
  /** Of each group that is open: its size so far, and that of its last part. */
  const groups: { sum: number; last: number }[] = [{ sum: 0, last: 0 }];
  const top = () => itemAt(groups, groups.length - 1);
  const atom = (size: number) => {
    top().sum += size;
    top().last = size;
  };
  for (let at = 0; at < pattern.length;) {
    const c = pattern.charAt(at);
    if (c === '\\') {
      at += /^\\(?:[pPx]\{[^}]*\}|[pP].|.|$)/s.exec(pattern.slice(at, at + 40))?.[0].length ?? 2;
      atom(1);
    } else if (c === '[') {
      at = endOfSet(pattern, at);
      atom(1);
    } else if (c === '(') {
      groups.push({ sum: 2, last: 0 });
      at++;
    } else if (c === ')') {
      const size = groups.length > 1 ? (groups.pop()?.sum ?? 0) : 0;
      atom(size);
      at++;
    } else {
      const counted = c === '{' ? /^\{(\d+)(?:,(\d*))?\}/.exec(pattern.slice(at, at + 24)) : null;
      if (counted === null) {
        if ('*+?'.includes(c)) {
          top().sum += 1;
          top().last += 1;
        } else atom(1);
      } else {
        const times = Math.max(Number(counted[1]) + (counted[2] === '' ? 1 : 0), Number(counted[2] ?? 0), 1);
        top().sum += top().last * (times - 1);
        top().last *= times;
      }
      at += counted?.[0].length ?? 1;
    }
  }
  return groups.reduce((sum, group) => sum + group.sum, 0);
}

function endOfSet(pattern: string, start: number): number {
  let at = start + (pattern[start + 1] === '^' ? 2 : 1);
  if (pattern[at] === ']') at++;
  while (at < pattern.length && pattern[at] !== ']') {
    if (pattern[at] === '\\') at++;
    else if (pattern.startsWith('[:', at)) at = Math.max(pattern.indexOf(':]', at) + 1, at);
    at++;
  }
  return at + 1;
}
