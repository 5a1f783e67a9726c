import type { IncomingHttpHeaders } from 'node:http';

/** A delivery as it came. */
export interface HookRequest {
  readonly method: string;
  /** With its question mark; empty: none. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** Decompressed. */
  readonly body: Buffer;
  readonly address: string | null;
}

/** One header as text; null where there is none. */
export function headerOf(headers: IncomingHttpHeaders, name: string | null): string | null {
  if (name === null) return null;
  const value = headers[name.toLowerCase()];
  return value === undefined || value.length === 0 ? null : String(value);
}
