import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEFAULT_PREFERENCES } from '../../contract/desktop.ts';
import { createLoginItem } from './login-item.ts';
import { createPreferencesStore } from './preferences.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';

const folder = () => temporaryFolder('preferences');

test('a change is told, and is there after a restart', () => {
  const file = join(folder(), 'deep', 'preferences.json');
  const store = createPreferencesStore(file);
  expect(store.get()).toEqual(DEFAULT_PREFERENCES);
  const told: unknown[] = [];
  store.onChange(({ onClose }) => told.push(onClose));
  store.set({ onClose: 'tray', notifyBulk: false });
  expect(told).toEqual(['tray']);
  expect(createPreferencesStore(file).get()).toEqual({ ...DEFAULT_PREFERENCES, onClose: 'tray', notifyBulk: false });
});

test.each(['', 'null', '[]', '{"onClose":"explode","badge":1,"updateFeed":7,"masterPort":70000,"metricsPort":"8086"}'])(
  'a damaged file (%s) counts as the defaults',
  (content) => {
    const file = join(folder(), 'preferences.json');
    writeFileSync(file, content);
    expect(createPreferencesStore(file).get()).toEqual(DEFAULT_PREFERENCES);
  },
);

test('on Linux the app starts at login by a file of the autostart folder', () => {
  const home = folder();
  const item = createLoginItem({
    platform: 'linux',
    env: { XDG_CONFIG_HOME: home },
    program: '/opt/Yard "1" 50%/yardmaster',
    tell: () => expect.fail('not on Linux'),
  });
  const file = join(home, 'autostart', 'yardmaster.desktop');
  item.set(false);
  item.set(true);
  expect(readFileSync(file, 'utf8')).toContain('Exec="/opt/Yard \\\\"1\\\\" 50%%/yardmaster" --hidden\n');
  item.set(false);
  expect(existsSync(file)).toBe(false);
});

test('elsewhere the system is told; an app that runs from its sources does not start at login', () => {
  const told: unknown[] = [];
  const parts = { env: {}, program: 'C:\\Yardmaster.exe', tell: (settings: unknown) => void told.push(settings) };
  createLoginItem({ ...parts, platform: 'win32' }).set(true);
  createLoginItem({ ...parts, platform: 'darwin' }).set(false);
  expect(told).toEqual([
    { openAtLogin: true, args: ['--hidden'] },
    { openAtLogin: false, args: ['--hidden'] },
  ]);
  const source = createLoginItem({ ...parts, platform: 'win32', program: null });
  source.set(true);
  expect(source.fault()).toContain('installed');
  expect(told).toHaveLength(2);
});
