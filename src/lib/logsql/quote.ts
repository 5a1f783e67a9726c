const PLAIN = /^[\p{L}\p{N}_][\p{L}\p{N}_.]*(?:[-/+][\p{L}\p{N}_.]+)*$/u;
const KEYWORDS = /^(?:and|or|not|by|as|if|from|in|hits|with|rank|limit|offset|partition|desc|asc|fields|default|at)$/i;

/** A value as it may stand in a query: bare where that is safe, else in quotes. */
export const valueText = (text: string): string => (PLAIN.test(text) && !KEYWORDS.test(text) ? text : quoteText(text));

/** The name of a field as it may stand in a query. */
export const nameText = valueText;

/** A text in double quotes. */
export function quoteText(text: string): string {
  let out = '"';
  for (const c of text) {
    const code = c.codePointAt(0) ?? 0;
    if (c === '"' || c === '\\') out += `\\${c}`;
    else if (code < 32 || code === 127) out += `\\x${code.toString(16).padStart(2, '0')}`;
    // A lone surrogate would not survive UTF-8.
    else if (code >= 0xd800 && code <= 0xdfff) out += `\\u${code.toString(16)}`;
    else out += c;
  }
  return `${out}"`;
}
