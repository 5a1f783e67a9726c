import { expect, test } from 'vitest';
import { masterArguments, optionIn } from './places.ts';

test('what stands after -- goes to the master', () => {
  expect(masterArguments(['electron', '/app', '--no-sandbox', '--', '--port', '8701'])).toEqual(['--port', '8701']);
  expect(masterArguments(['electron', '/app'])).toEqual([]);
});

test('an option is found in both forms, and the last one counts', () => {
  expect(optionIn(['--data', '/a'], '--data')).toBe('/a');
  expect(optionIn(['--data=/a', '--data', '/b', '--data=/c'], '--data')).toBe('/c');
  expect(optionIn(['--database', '/a'], '--data')).toBeNull();
});
