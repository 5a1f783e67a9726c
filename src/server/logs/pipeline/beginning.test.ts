import { expect, it } from 'vitest';
import { beginningOf } from './beginning.ts';

it.each([
  ['{"msg":"one"}\n', 'lines'],
  ['plain text', 'lines'],
  ['\n', 'lines'],
  ['GETTING there\n', 'lines'],
  ['get / http', 'lines'],
  ['GET\n', 'lines'],
  ['', 'undecided'],
  ['P', 'undecided'],
  ['OPTIONS', 'undecided'],
  ['AUTH', 'undecided'],
  ['AUTH yt_1', 'auth'],
  ['GET / HTTP/1.1\r\n', 'foreign'],
  ['POST /', 'foreign'],
  ['PRI * HTTP/2.0', 'foreign'],
  ['\u0016\u0003\u0001', 'foreign'],
])('takes %j for %s', (text, expected) => {
  expect(beginningOf(Buffer.from(text))).toBe(expected);
});
