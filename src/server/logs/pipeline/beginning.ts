/** What the first bytes of a connection say of it; `undecided`: more of them are needed. */
export type Beginning = 'lines' | 'foreign' | 'auth' | 'undecided';

/** The first byte of a TLS handshake; no line begins with it. */
export const HANDSHAKE = 0x16;
/** First words with which a web page or a client of HTTP can make a line that is none. PRI: HTTP/2. */
const METHODS = ['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE', 'PATCH', 'CONNECT', 'TRACE', 'PRI'] as const;
/** What the line with a token begins with. */
export const AUTH = 'AUTH ';
const FOREIGN = METHODS.map((method) => `${method} `);
const LONGEST = Math.max(...FOREIGN.map(({ length }) => length));

/** Whether log lines begin here, an `AUTH` line, or what is foreign to this port: HTTP, or TLS where none is spoken. */
export function beginningOf(bytes: Buffer): Beginning {
  if (bytes[0] === HANDSHAKE) return 'foreign';
  const text = bytes.toString('latin1', 0, LONGEST);
  if (text.startsWith(AUTH)) return 'auth';
  if (FOREIGN.some((word) => text.startsWith(word))) return 'foreign';
  return [AUTH, ...FOREIGN].some((word) => word.startsWith(text)) ? 'undecided' : 'lines';
}
