import { expect, test } from 'vitest';
import { masterArguments, findOption, appPaths } from './app-paths.ts';

test('what stands after -- goes to the master', () => {
  expect(masterArguments(['electron', '/app', '--no-sandbox', '--', '--port', '8701'])).toEqual(['--port', '8701']);
  expect(masterArguments(['electron', '/app'])).toEqual([]);
});

test('an option is found in both forms, and the last one counts', () => {
  expect(findOption(['--data', '/a'], '--data')).toBe('/a');
  expect(findOption(['--data=/a', '--data', '/b', '--data=/c'], '--data')).toBe('/c');
  expect(findOption(['--database', '/a'], '--data')).toBeNull();
});

test('an installed app runs its master by the Node that it brings, from beside its archive', () => {
  const source = appPaths('file:///home/ada/yardmaster/out/main/index.js', '/electron/resources', 'linux');
  expect(source).toMatchObject({
    cli: '/home/ada/yardmaster/out/main/cli.js',
    examples: '/home/ada/yardmaster/resources/examples',
    node: null,
  });
  const installed = appPaths(
    'file:///opt/Yardmaster/resources/app.asar/out/main/index.js',
    '/opt/Yardmaster/resources',
    'linux',
  );
  expect(installed).toMatchObject({
    cli: '/opt/Yardmaster/resources/server/out/main/cli.js',
    examples: '/opt/Yardmaster/resources/server/resources/examples',
    node: '/opt/Yardmaster/resources/node/node',
    tray: '/opt/Yardmaster/resources/app.asar/resources/tray/',
  });
});
