import { hash } from 'node:crypto';

/** Characters of a message that are looked at, so that a long one costs no more. */
const LOOKED_AT = 1024;

/**
 * What differs by chance, and what stands for it. The order matters: whole things before the numbers in them. None of
 * the words that are put in can be found by any of the patterns.
 */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/"(?:[^"\\]|\\.)*"|“[^”]*”|«[^»]*»|`[^`]*`|(?<![\p{L}\p{N}])'(?:[^'\\]|\\.)*'(?![\p{L}\p{N}])/gsu, '<text>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>'],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, '<time>'],
  [/\b\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?\b/g, '<time>'],
  [/\b0x[0-9a-f]+\b/gi, '<hex>'],
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{6,}\b/gi, '<hex>'],
  // A word with digits in it is an id more often than not.
  [/\b(?=[\w-]*\d[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{12,}\b/g, '<id>'],
];

/**
 * Numbers, but for the status of an HTTP answer: 503 is another failure than 404. Groups: what stands before a status, and
 * the status, which no further digit and no word may go on from.
 */
const NUMBERS =
  /\b(answered|status(?:[ _-]?code)?|HTTP(?:\/(?:<n>|\d(?:\.\d)?))?)([\s:=]{1,3})([1-5]\d\d)(?![\p{L}\p{N}_-]|[.,]\p{N})|-?\d+(?:[.,]\d+)*|\p{N}/giu;
const withoutNumbers = (text: string): string =>
  text.replace(NUMBERS, (_, word?: string, space = '', status = '') =>
    word === undefined ? '<n>' : `${word.replace(/\d[\d.]*/, '<n>')}${space}${status}`,
  );

/**
 * The message without numbers, ids, hex, times and quoted texts, so that failures of one kind read alike; statuses of HTTP answers stay. Idempotent;
 * at most `most` characters.
 */
export function normalise(message: string, most: number): string {
  let text = message.length > LOOKED_AT ? message.slice(0, LOOKED_AT) : message;
  // What was put in may close a quotation: again until nothing is found. Each round leaves fewer digits and quotes.
  for (let before = ''; before !== text;) {
    before = text;
    for (const [pattern, word] of PATTERNS) text = text.replace(pattern, word);
    text = withoutNumbers(text);
  }
  text = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  // A status that is cut is none.
  return text.length > most ? text.slice(0, most).replace(/\d+$/, '').trimEnd() : text;
}

/** The same without the status of an answer, as groups of earlier releases are named. */
export const normaliseAll = (message: string): string => message.replace(/\d+/g, '<n>');

/** 16 hex digits that name the group of such failures. */
export const fingerprint = (workflowId: string, node: string, code: string, message: string): string =>
  hash('sha256', JSON.stringify([workflowId, node, code, message]), 'hex').slice(0, 16);
