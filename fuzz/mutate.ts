import type { SeededRandom } from '../src/lib/seeded-random.ts';

/** What breaks readers: ends of lines and numbers, halves of characters, words of the protocols. */
const WORDS = [
  ...[
    '\r\n',
    '\n',
    '\0',
    '\u2028',
    '\ud800',
    '"',
    '\\',
    '{',
    '[',
    '}',
    ']',
    ':',
    ',',
    '=',
    ' ',
    '|',
    '(',
    '%',
    '$',
    '`',
  ],
  ...[
    '-1',
    '0',
    '1e999',
    '9007199254740993',
    '18446744073709551616',
    'NaN',
    'null',
    'true',
    '__proto__',
    'constructor',
  ],
  ...[
    'Content-Length: 5\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Expect: 100-continue\r\n',
    'Host: \r\n',
    'Upgrade: h2c\r\n',
  ],
  ...['HTTP/1.0', 'HTTP/2.0', 'OPTIONS ', 'CONNECT ', 'HEAD ', '../', '%2e%2e%2f', '%00', '%ff', '?', '#', '&', ';'],
  ...[
    'AUTH ',
    '_time:',
    '_msg:',
    '| stats count()',
    '|> range(start: -1h)',
    'in(',
    '*',
    '~".*"',
    '1s',
    '-9223372036854775809i',
  ],
].map((word) => Buffer.from(word));
const LONGEST = 64 * 1024;

/** One to six small changes of an input: bits, bytes, pieces, words, repeats, parts of another input. */
export function mutate(random: SeededRandom, input: Buffer, others: readonly Buffer[]): Buffer {
  let bytes = input;
  for (let left = 1 + random.below(6); left > 0; left--) {
    const at = random.below(bytes.length + 1);
    const length = Math.min(bytes.length - at, 1 + random.below(16));
    const insert = (piece: Uint8Array, over = 0) =>
      (bytes = Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + over)]));
    switch (random.below(8)) {
      case 0:
        if (at < bytes.length) insert(Buffer.of((bytes[at] ?? 0) ^ (1 << random.below(8))), 1);
        break;
      case 1:
        insert(Buffer.of(random.below(256)), random.below(2));
        break;
      case 2:
        insert(Buffer.alloc(0), length);
        break;
      case 3:
      case 4:
        insert(WORDS[random.below(WORDS.length)] ?? Buffer.alloc(0), random.below(2) * length);
        break;
      case 5:
        insert(Buffer.concat(Array.from({ length: 1 + random.below(200) }, () => bytes.subarray(at, at + length))));
        break;
      case 6: {
        const other = others[random.below(others.length)] ?? input;
        const from = random.below(other.length + 1);
        insert(other.subarray(from, from + random.below(200)), random.below(2) * length);
        break;
      }
      default:
        bytes = bytes.subarray(0, at);
    }
  }
  return bytes.subarray(0, LONGEST);
}
