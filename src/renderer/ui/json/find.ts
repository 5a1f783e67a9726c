import { skipSpace, stringEnd, valueEnd } from './scan.ts';

export interface Found {
  /** Places of the keys and leaves that hold it, in the order of the text. */
  readonly places: number[];
  /** There are more than were looked for. */
  readonly more: boolean;
}

/** Keys and leaves that hold `what`, in either case of letters, between two places of a JSON text. */
export function findTokens(text: string, from: number, to: number, what: string, most: number): Found {
  const places: number[] = [];
  // As it is written inside of quotes.
  const wanted = JSON.stringify(what).slice(1, -1).toLowerCase();
  if (wanted === '') return { places, more: false };
  const lower = text.toLowerCase();
  // Some letters grow when they are made small: then the places would not fit, and the case has to.
  const looked = lower.length === text.length ? lower : text;
  let next = looked.indexOf(wanted, from);
  for (let i = skipSpace(text, from); i < to && next >= 0 && next < to;) {
    const code = text.charCodeAt(i);
    if (code === 0x2c || code === 0x3a || code === 0x5b || code === 0x5d || code === 0x7b || code === 0x7d) {
      i = skipSpace(text, i + 1);
      continue;
    }
    const end = code === 0x22 ? stringEnd(text, i) : valueEnd(text, i);
    if (next < i) next = looked.indexOf(wanted, i);
    const inner = code === 0x22 ? 1 : 0;
    if (next >= i + inner && next + wanted.length <= end - inner) {
      if (places.length === most) return { places, more: true };
      places.push(i);
    }
    if (next >= 0 && next < end) next = looked.indexOf(wanted, end);
    i = skipSpace(text, end);
  }
  return { places, more: false };
}
