import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { fileKindForName } from '../../src/contract/desktop.ts';
import { CONSOLE_SCHEME } from '../../src/contract/ipc.ts';
import { sizesIn } from '../lib/icon-files.mjs';

const config = createRequire(import.meta.url)('../../packaging/electron-builder.cjs');
const read = (name: string) => readFileSync(`packaging/${name}`);

test('each system has its icon, with the sizes that it draws', () => {
  for (const name of readdirSync('packaging/icons'))
    expect(`${sizesIn(read(`icons/${name}`))}x${sizesIn(read(`icons/${name}`))}.png`).toBe(name);
  expect(
    readdirSync(`packaging/${config.linux.icon}`)
      .map((name) => Number.parseInt(name, 10))
      .sort((a, b) => a - b),
  ).toEqual([16, 32, 48, 64, 128, 256, 512, 1024]);
  expect([config.win.icon, sizesIn(read(config.win.icon))]).toEqual(['icon.ico', [16, 24, 32, 48, 64, 128, 256]]);
  expect([config.mac.icon, sizesIn(read(config.mac.icon))]).toEqual(['icon.icns', [32, 64, 128, 256, 512, 1024]]);
});

test('what it names is there', () => {
  for (const name of [
    config.afterPack,
    config.mac.entitlements,
    config.mac.entitlementsInherit,
    config.deb.afterInstall,
    config.deb.afterRemove,
  ])
    expect(existsSync(`packaging/${name}`), name).toBe(true);
});

test('every system shuts the same doors, and each kind of package is one that it knows', () => {
  expect(config.electronFuses).toEqual({
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
    resetAdHocDarwinSignature: true,
  });
  expect(config.asar).toBe(true);
  expect([config.linux.target, config.mac.target, config.win.target]).toEqual([
    ['deb', 'AppImage'],
    ['dmg', 'zip'],
    ['nsis'],
  ]);
  // Nothing is sent anywhere by itself, and who removes the app keeps what was made with it.
  expect([config.publish, config.nsis.deleteAppDataOnUninstall]).toEqual([null, false]);
});

test('what a Mac lets the app do is what a compiler needs, and nothing that takes its walls down', () => {
  const allowed = [
    ...read(config.mac.entitlements)
      .toString('utf8')
      .matchAll(/<key>([^<]+)<\/key>\s*<(\w+)\/>/g),
  ].map(([, name, value]) => [name, value]);
  expect(allowed).toEqual([
    ['com.apple.security.cs.allow-jit', 'true'],
    ['com.apple.security.cs.allow-unsigned-executable-memory', 'true'],
  ]);
  expect(config.mac.hardenedRuntime).toBe(true);
});

test('links and files are those that the app opens', () => {
  expect(config.protocols.flatMap(({ schemes }: { schemes: string[] }) => schemes)).toEqual([CONSOLE_SCHEME]);
  for (const { ext } of config.fileAssociations) expect(fileKindForName(`x.${ext}`)).not.toBeNull();
  const known = [
    ...read('linux/mime.xml')
      .toString('utf8')
      .matchAll(/<mime-type type="([^"]+)">[\s\S]*?<glob pattern="\*([^"]+)"/g),
  ].map(([, type = '', ending = '']) => [type, fileKindForName(`x${ending}`)]);
  expect(known).toEqual([
    ['application/x-yardmaster-incident', 'incident'],
    ['application/x-yardmaster-workflow', 'workflow'],
  ]);
  expect(config.linux.mimeTypes).toEqual(known.map(([type]) => type));
});
