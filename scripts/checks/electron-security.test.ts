import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { consoleContentSecurityPolicy } from '../../src/lib/content-security-policy.ts';
import { refusedSwitch } from '../../src/main/refuse-debugging.ts';

/** Electron's security checklist, held to the configuration and the sources as they are (docs/security.md, "The desktop app"). */
const SOURCES = ['src/main', 'src/preload'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.(test|fixture|fake)\.ts$/.test(name))
    .map((name) => ({ name: `${folder}/${name}`, text: readFileSync(`${folder}/${name}`, 'utf8') })),
);
const filesWith = (pattern: RegExp) => SOURCES.filter(({ text }) => pattern.test(text)).map(({ name }) => name);
const sourceOf = (name: string) => SOURCES.find((one) => one.name === name)?.text ?? '';
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');

describe('windows', () => {
  const windows = SOURCES.flatMap(({ name, text }) =>
    [...text.matchAll(/new BrowserWindow\(/g)].map(({ index }) => ({
      name,
      preferences: /webPreferences: (\{[\s\S]*?\n? *\})/.exec(text.slice(index))?.[1] ?? '',
    })),
  );

  test('are made in two places', () => {
    expect(windows.map(({ name }) => name).sort()).toEqual([
      'src/main/window/console-window.ts',
      'src/main/window/stopping-window.ts',
    ]);
  });

  test.each(windows)('$name: has a sandbox, a context of its own, and no Node', ({ preferences }) => {
    expect(preferences).toContain('sandbox: true');
    expect(preferences).toContain('contextIsolation: true');
    expect(preferences).toContain('nodeIntegration: false');
    expect(preferences).not.toMatch(
      /webSecurity|allowRunningInsecureContent|experimentalFeatures|enableBlinkFeatures|nodeIntegrationInWorker|nodeIntegrationInSubFrames|webviewTag: true|enableRemoteModule/,
    );
  });

  test('show no views, frames or windows of others', () => {
    expect(filesWith(/new (BrowserView|WebContentsView)\(|webviewTag: true|<webview/)).toEqual([]);
    const guard = sourceOf('src/main/window/guard-contents.ts');
    for (const event of ['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview'])
      expect(guard).toContain(`'${event}'`);
    expect(guard).toMatch(/setWindowOpenHandler[\s\S]*\{ action: 'deny' \}/);
  });

  test('are asked for one permission', () => {
    const guard = sourceOf('src/main/window/guard-contents.ts');
    for (const handler of ['setPermissionRequestHandler', 'setPermissionCheckHandler', 'setDevicePermissionHandler'])
      expect(guard).toContain(handler);
    expect(guard).toContain("const GRANTED = 'clipboard-sanitized-write'");
  });
});

describe('what a page may load', () => {
  const policy = consoleContentSecurityPolicy('nonce');
  const rules = new Map(policy.split(';').map((rule) => [rule.trim().split(' ')[0], rule.trim()]));

  test('is its own alone', () => {
    expect(rules.get('default-src')).toMatch(/'none'|'self'/);
    for (const name of ['script-src', 'default-src', 'object-src', 'base-uri', 'frame-ancestors'])
      expect(rules.get(name) ?? rules.get('default-src'), name).not.toMatch(/\*|https?:|'unsafe-inline'|'unsafe-eval'/);
  });

  test('comes by a scheme of the app, never from files or the network', () => {
    expect(filesWith(/loadFile\(|loadURL\(['"`](https?|file):/)).toEqual([]);
    expect(sourceOf('src/main/console/scheme.ts')).toMatch(
      /privileges: \{ standard: true, secure: true, supportFetchAPI: true, stream: true \}/,
    );
    expect(filesWith(/bypassCSP|allowServiceWorkers/)).toEqual([]);
  });
});

describe('ways out of the app', () => {
  test('shell.openExternal has one caller, which takes https alone, and one for the own documentation', () => {
    expect(
      filesWith(/openExternal\(/).every((name) =>
        ['src/main/window/guard-contents.ts', 'src/main/index.ts', 'src/main/ipc/app.ts', 'src/main/menu.ts'].includes(
          name,
        ),
      ),
    ).toBe(true);
    expect(sourceOf('src/main/window/guard-contents.ts')).toMatch(
      /protocol !== 'https:'\) return false;\s+void shell\.openExternal/,
    );
  });

  test('no certificate is taken without a check', () => {
    expect(
      filesWith(/'certificate-error'|ignore-certificate-errors/).filter(
        (name) => !name.endsWith('refuse-debugging.ts'),
      ),
    ).toEqual([]);
  });
});

describe('ways in', () => {
  test('the page has the named channels, and each is answered to the console alone', () => {
    expect(filesWith(/exposeInMainWorld/)).toEqual(['src/preload/index.ts']);
    expect(sourceOf('src/preload/index.ts')).not.toMatch(/exposeInMainWorld\([^)]*(ipcRenderer|electron)/);
    expect(filesWith(/ipcMain\.(handle|on)\(/)).toEqual(['src/main/ipc/register.ts']);
    expect(sourceOf('src/main/ipc/register.ts')).toContain('isConsoleFrame(event.senderFrame)');
    expect(SOURCES.filter(({ text }) => /@electron\/remote|enableRemoteModule/.test(withoutComments(text)))).toEqual(
      [],
    );
  });

  test('the fuses are those of a program that runs nothing but its own', () => {
    const { electronFuses } = createRequire(import.meta.url)('../../packaging/electron-builder.cjs');
    expect(electronFuses).toMatchObject({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      onlyLoadAppFromAsar: true,
      enableEmbeddedAsarIntegrityValidation: true,
      enableCookieEncryption: true,
      grantFileProtocolExtraPrivileges: false,
    });
  });

  test('an installed app refuses debuggers before anything else', () => {
    const start = withoutComments(sourceOf('src/main/index.ts'));
    expect(start).toMatch(
      /app\.isPackaged[\s\S]*refusedSwitch\(process\.argv\)[\s\S]*app\.exit\([\s\S]*requestSingleInstanceLock/,
    );
    expect(refusedSwitch(['yardmaster', '--remote-debugging-port=9222'])).toBe('--remote-debugging-port');
  });
});
