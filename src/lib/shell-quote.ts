/** A text as one word of a POSIX shell: in single quotes where it holds more than plain signs. */
export const quoteForShell = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
