/**
 * One field by RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe before it, as it came
 * from whoever called the workflow or wrote the line.
 */
export function csvField(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = String(value);
  const safe = /^[\s\p{Cc}]*[=+\-@|%＝＋－＠]|^[\t\r\n]/u.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
