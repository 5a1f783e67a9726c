import { spawn } from 'node:child_process';
import { _electron, expect, type ElectronApplication, type Page } from '@playwright/test';
import type { IpcChannel, IpcMap } from '../../src/contract/ipc.ts';
import { resolve } from 'node:path';
import { NODE, temporaryFolder } from './master.ts';

export interface Desktop {
  app: ElectronApplication;
  page: Page;
  data: string;
}

/**
 * A page of our scheme may be shown before its request is reported; the driver then takes that request for a second
 * navigation and waits for it without end. Its switch: https://github.com/microsoft/playwright/pull/32899.
 */
process.env['PLAYWRIGHT_SKIP_NAVIGATION_CHECK'] = '1';

const sandbox = () => (process.getuid?.() === 0 ? ['--no-sandbox'] : []);
const appFolder = () => resolve(process.env['YARDMASTER_E2E_APP'] ?? '.');

/** Longest wait for anything in a window, also where the processors are busy with much else. */
const PATIENCE_MS = 120_000;

/** The app is started a second time with the same settings, as the system does with a link or a file; resolves once that start has ended. */
export async function startAgain(settings: string, ...words: string[]): Promise<void> {
  const again = spawn(
    process.env['YARDMASTER_E2E_ELECTRON'] ?? '',
    [appFolder(), ...sandbox(), '--disable-gpu', `--user-data-dir=${settings}`, ...words],
    { stdio: 'ignore' },
  );
  await new Promise((done) => again.once('exit', done));
}

/** The real app in real Electron, with a data folder and settings of its own, once its master serves. */
export async function openDesktop(
  data = temporaryFolder('data'),
  settings = temporaryFolder('settings'),
): Promise<Desktop> {
  const desktop = await launchDesktop(data, settings, ['--port', '0', '--logstash-port', '0']);
  await desktop.page.getByRole('heading', { name: 'Overview' }).waitFor();
  await desktop.page
    .getByText('Live', { exact: true })
    .waitFor()
    .catch(async (error: unknown) => {
      const text = await desktop.page
        .locator('body')
        .innerText({ timeout: 5000 })
        .catch(() => '(nothing)');
      throw new Error(`the page does not become live; it says:\n${text}`, { cause: error });
    });
  return desktop;
}

/** The same as soon as it has a window. `options` are those of the master. */
export async function launchDesktop(data: string, settings: string, options: readonly string[]): Promise<Desktop> {
  const executablePath = process.env['YARDMASTER_E2E_ELECTRON'];
  if (!executablePath)
    throw new Error('YARDMASTER_E2E_ELECTRON names no Electron: run the tests with npm test or npm run e2e');
  const app = await _electron.launch({
    executablePath,
    timeout: PATIENCE_MS,
    args: [appFolder(), ...sandbox(), '--disable-gpu', `--user-data-dir=${settings}`, '--', ...options, '--data', data],
    env: { ...(process.env as Record<string, string>), YARDMASTER_NODE: NODE },
  });
  askAgain(app);
  // No browser of this machine opens what a test leads to: it would outlive the app, and hold what waits for its end.
  await app.evaluate(({ shell }) => void (shell.openExternal = () => Promise.resolve()));
  // The settings of the tests give this to pages of a browser, not to those of an app.
  app.context().setDefaultTimeout(PATIENCE_MS);
  const page = await app.firstWindow();
  return { app, page, data };
}

/**
 * V8 may collect the promise that brings an answer to the driver while it is on its way
 * (https://github.com/microsoft/playwright/issues/33737). Then the process of the app is asked once more, so what runs there may run twice.
 */
function askAgain(app: ElectronApplication): void {
  const ask = app.evaluate.bind(app) as (what: unknown, argument: unknown) => Promise<unknown>;
  Object.assign(app, {
    evaluate: (what: unknown, argument: unknown) =>
      ask(what, argument).catch((error: unknown) => {
        if (!/promise was (?:garbage )?collected/i.test(String(error))) throw error;
        return ask(what, argument);
      }),
  });
}

/** Calls the desktop shell as the page does. */
export async function callShell<C extends IpcChannel>(
  page: Page,
  channel: C,
  argument: IpcMap[C]['argument'],
): Promise<IpcMap[C]['answer']> {
  const outcome = await page.evaluate(
    ([name, given]) =>
      (Reflect.get(window, 'yardmaster') as { call(channel: string, argument: unknown): Promise<unknown> }).call(
        name as string,
        given,
      ),
    [channel, argument] as const,
  );
  expect(outcome).toMatchObject({ ok: true });
  return (outcome as { value: IpcMap[C]['answer'] }).value;
}

/** The window goes to another cluster: the page that asked for it does not stay for the answer. */
export async function switchCluster(page: Page, to: IpcMap['connections:select']['argument']): Promise<void> {
  await page.evaluate((argument) => {
    Reflect.set(window, 'left', false);
    void window.yardmaster?.call('connections:select', argument);
  }, to);
  const arrived = () =>
    page.evaluate(() => [Reflect.get(window, 'left'), location.host, location.pathname]).catch(() => null);
  await expect.poll(arrived, { timeout: PATIENCE_MS }).toEqual([undefined, to.id, '/']);
}
