import { brotliCompressSync, gzipSync } from 'node:zlib';

/** What a hostile or careless client sends to the event endpoint: bodies near the limit, each dear in a way of its own. */
export interface HeavyBody {
  name: string;
  /** Made when it is asked for: some are dear to us as well. */
  body(): Buffer;
  headers?: Record<string, string>;
}

const LIMIT = 5 * 1024 * 1024;

/** `piece(i)` again and again between `[` and `]`, as many as fit (at most `most`). */
export function filled(piece: (i: number) => string, bytes = LIMIT, most = Number.POSITIVE_INFINITY): Buffer {
  const pieces: string[] = [];
  for (let i = 0, size = 2; i < most; i++) {
    const next = piece(i);
    size += Buffer.byteLength(next) + 1;
    if (size > bytes) break;
    pieces.push(next);
  }
  return Buffer.from(`[${pieces.join(',')}]`);
}

const object = (entries: string, bytes = LIMIT - 100): Buffer => Buffer.from(`[{${entries.slice(0, bytes)}}]`);

export function heavyBodies(): HeavyBody[] {
  const keys = () => Array.from({ length: 95_000 }, (_, i) => `"key-${i}":${i}`).join(',');
  const escapes = () => '\\u00e9'.repeat(Math.floor((LIMIT - 100) / 6));
  const digits = (length: number) => '123456789'.repeat(Math.ceil(length / 9)).slice(0, length);
  const list = (piece: string, count: number) => `[{"a":[${Array(count).fill(piece).join(',')}]}]`;
  return [
    { name: '95,000 keys in one input', body: () => object(keys()) },
    {
      name: '1,000 inputs of 90 keys',
      body: () =>
        filled(
          (i) => `{${Array.from({ length: 90 }, (_, k) => `"k${i}-${k}":"${'v'.repeat(30)}"`).join(',')}}`,
          LIMIT,
          1000,
        ),
    },
    {
      name: '1,000 inputs of 5 KB of text',
      body: () => filled(() => `{"content":"${'x'.repeat(5100)}"}`, LIMIT, 1000),
    },
    { name: '1,000 small inputs', body: () => filled((i) => `{"content":"${i}"}`, LIMIT, 1000) },
    { name: 'one text of \\u escapes', body: () => object(`"content":"${escapes()}"`) },
    { name: 'one long ASCII text', body: () => object(`"content":"${'x'.repeat(LIMIT - 200)}"`) },
    {
      name: 'one long text beyond Latin-1',
      body: () => object(`"content":"${'漢'.repeat(Math.floor(LIMIT / 3) - 100)}"`),
    },
    { name: 'integers of 17 digits', body: () => Buffer.from(list('12345678901234567', 24_000)) },
    { name: 'one number of 5 M digits', body: () => Buffer.from(`[{"a":${digits(LIMIT - 100)}}]`) },
    { name: 'numbers of 1,000 digits', body: () => Buffer.from(list(digits(1000), 5000)) },
    { name: 'short numbers with exponents', body: () => Buffer.from(list('1e9', 24_000)) },
    {
      name: 'nested 200 deep, again and again',
      body: () => filled(() => `{"a":${'['.repeat(190)}${']'.repeat(190)}}`, LIMIT, 500),
    },
    { name: 'nested 1,000,000 deep', body: () => Buffer.from('['.repeat(1_000_000)) },
    { name: 'white space', body: () => Buffer.from(`[{"content":"a"}${' '.repeat(LIMIT - 100)}]`) },
    { name: '2,000,000 empty arrays', body: () => Buffer.from(`[{"a":[${'[],'.repeat(1_700_000)}[]]}]`) },
    { name: 'no JSON, told at its end', body: () => Buffer.from(`[{"content":"${'x'.repeat(LIMIT - 100)}"}`) },
    { name: 'no UTF-8', body: () => Buffer.alloc(LIMIT, 0xff) },
    {
      name: 'a gzip bomb of 1 GB',
      body: () => gzipSync(Buffer.alloc(1_000_000_000, 0x20)),
      headers: { 'content-encoding': 'gzip' },
    },
    {
      name: 'a brotli bomb of 500 MB',
      body: () => brotliCompressSync(Buffer.alloc(500_000_000, 0x20)),
      headers: { 'content-encoding': 'br' },
    },
    {
      name: '5 MB in gzip',
      body: () => gzipSync(filled((i) => `{"content":"${i}${'y'.repeat(5000)}"}`, LIMIT, 1000)),
      headers: { 'content-encoding': 'gzip' },
    },
  ];
}
