import { expect, test } from 'vitest';
import { isLocalMaster, START_WAYS, startCommands } from './start-commands.ts';

test.each(START_WAYS)('%s names the master and the token once', (way) => {
  const text = startCommands('https://yard.example.com', 'ymt_secret')[way].join('\n');
  expect(text.split('https://yard.example.com')).toHaveLength(2);
  expect(text.split('ymt_secret')).toHaveLength(2);
  expect(text).not.toContain('--network host');
});

test.each([
  ['http://127.0.0.1:8700', true],
  ['http://[::1]:8700', true],
  ['http://localhost:8700', true],
  ['https://yard.example.com', false],
  ['', false],
])('%s is of this machine alone: %s', (url, local) => {
  expect(isLocalMaster(url)).toBe(local);
  if (local) expect(startCommands(url, 'x').docker.join()).toContain('--network host');
});
