import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { firstLine } from './first-line.ts';

it('takes a line in pieces, also where a character is cut between them', async () => {
  const stream = new PassThrough();
  const line = firstLine(stream);
  for (const byte of Buffer.from('{"master":"http://müller:8700"}\r\nmore')) stream.write(Buffer.from([byte]));
  expect(await line).toBe('{"master":"http://müller:8700"}');
});

it('takes a line that ends with the stream, and says when there is none', async () => {
  const whole = new PassThrough();
  const line = firstLine(whole);
  whole.end('http://127.0.0.1:8700');
  expect(await line).toBe('http://127.0.0.1:8700');
  const empty = new PassThrough();
  const none = firstLine(empty);
  empty.end();
  expect(await none).toBeNull();
});
