import { expect, it } from 'vitest';
import { isFromThisMachine } from './this-machine.ts';

it.each([
  ['127.0.0.1', '127.0.0.1', true],
  ['::ffff:127.0.0.1', '::ffff:127.0.0.1', true],
  ['::1', '::1', true],
  ['10.0.0.5', '10.0.0.5', true],
  ['10.0.0.7', '10.0.0.5', false],
  ['::ffff:10.0.0.7', '::ffff:10.0.0.5', false],
  [undefined, undefined, false],
])('from %s to %s: %s', (remoteAddress, localAddress, expected) => {
  expect(isFromThisMachine({ remoteAddress, localAddress })).toBe(expected);
});
