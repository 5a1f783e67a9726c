import type { IncomingHttpHeaders } from 'node:http';

/** An event call as it stands in bytes. */
export interface PlainCall {
  readonly url: string;
  readonly workflowId: string;
  readonly environment: string;
  /** Each name once, in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Bytes of all of it; what is behind them is the next call's. */
  readonly size: number;
}

/** The longest head, in bytes, and the most lines of one, that are read here. */
const HEAD_BYTES = 8 * 1024;
const HEAD_LINES = 64;
const KNOWN_NAMES = 256;

const BEGINS = Buffer.from('POST /api/v1/events/', 'latin1');
const HEAD_ENDS = Buffer.from('\r\n\r\n', 'latin1');
const REQUEST_LINE = /^POST (\/api\/v1\/events\/([a-z0-9-]{1,100})\/([a-z]{1,20})) HTTP\/1\.1$/;
/** Control characters, and line ends that are not both of theirs. */
const ODD = /[^\t\r\n\x20-\x7e\x80-\xff]|\r(?!\n)|(?<!\r)\n/;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const LENGTH = /^(?:0|[1-9]\d{0,6})$/;
/** They change how a request is read or answered, or are no plain text to Node. */
const OTHERWISE: ReadonlySet<string> = new Set([
  'transfer-encoding',
  'content-encoding',
  'expect',
  'upgrade',
  'trailer',
  'proxy-connection',
  'set-cookie',
  '__proto__',
]);

/**
 * Reads an event call out of the bytes of a connection, where it is written in the one plain way that nearly all are: a
 * body of known length up to `bodyBytes`, each header once, nothing that asks for another treatment. Null: it is not, or
 * nothing of the kind; then the server's own parser decides what it is. `more`: the rest of the body has not come yet.
 * What is read here, that parser reads in the same way (RFC 9112; a property test holds the two together).
 */
export function createPlainCalls() {
  /** Names as they came, in lower case: there are few ways to write them. */
  const names = new Map<string, string>();

  function nameOf(written: string): string | null {
    const known = names.get(written);
    if (known !== undefined) return known;
    if (!TOKEN.test(written)) return null;
    const name = written.toLowerCase();
    if (OTHERWISE.has(name)) return null;
    if (names.size < KNOWN_NAMES) names.set(written, name);
    return name;
  }

  return function read(bytes: Buffer, bodyBytes: number): PlainCall | 'more' | null {
    if (bytes.length < BEGINS.length || bytes.compare(BEGINS, 0, BEGINS.length, 0, BEGINS.length) !== 0) return null;
    const headEnds = bytes.indexOf(HEAD_ENDS);
    if (headEnds < 0 || headEnds > HEAD_BYTES) return null;
    const head = bytes.toString('latin1', 0, headEnds);
    if (ODD.test(head)) return null;
    let at = head.indexOf('\r\n');
    if (at < 0) return null;
    const line = REQUEST_LINE.exec(head.slice(0, at));
    if (line === null) return null;

    const headers: Record<string, string> = {};
    for (let lines = 0; at < head.length; lines++) {
      const from = at + 2;
      const next = head.indexOf('\r\n', from);
      at = next < 0 ? head.length : next;
      const colon = head.indexOf(':', from);
      if (colon < 0 || colon > at || lines === HEAD_LINES) return null;
      const name = nameOf(head.slice(from, colon));
      if (name === null || headers[name] !== undefined) return null;
      headers[name] = trimmed(head, colon + 1, at);
    }
    const { 'content-length': length, connection } = headers;
    if (length === undefined || !LENGTH.test(length) || Number(length) > bodyBytes) return null;
    if (connection !== undefined && connection.toLowerCase() !== 'keep-alive') return null;

    const body = headEnds + HEAD_ENDS.length;
    const size = body + Number(length);
    if (bytes.length < size) return 'more';
    return {
      url: line[1] as string,
      workflowId: line[2] as string,
      environment: line[3] as string,
      headers,
      body: bytes.subarray(body, size),
      size,
    };
  };
}

/** Without the blanks and tabs around it. */
function trimmed(text: string, from: number, to: number): string {
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;
