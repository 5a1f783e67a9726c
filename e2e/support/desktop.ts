import { spawn } from 'node:child_process';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { resolve } from 'node:path';
import { NODE, temporaryFolder } from './master.ts';

export interface Desktop {
  app: ElectronApplication;
  page: Page;
  data: string;
}

const sandbox = () => (process.getuid?.() === 0 ? ['--no-sandbox'] : []);
const appFolder = () => resolve(process.env['YARDMASTER_E2E_APP'] ?? '.');

/** The app is started a second time with the same settings, as the system does with a link or a file; resolves once that start has ended. */
export async function startAgain(settings: string, ...words: string[]): Promise<void> {
  const again = spawn(
    process.env['YARDMASTER_E2E_ELECTRON'] ?? '',
    [appFolder(), ...sandbox(), '--disable-gpu', `--user-data-dir=${settings}`, ...words],
    { stdio: 'ignore' },
  );
  await new Promise((done) => again.once('exit', done));
}

/** The real app in real Electron, with a data folder and settings of its own. */
export async function openDesktop(
  data = temporaryFolder('data'),
  settings = temporaryFolder('settings'),
): Promise<Desktop> {
  const executablePath = process.env['YARDMASTER_E2E_ELECTRON'];
  if (!executablePath)
    throw new Error('YARDMASTER_E2E_ELECTRON names no Electron: run the tests with npm test or npm run e2e');
  const app = await _electron.launch({
    executablePath,
    args: [
      appFolder(),
      ...sandbox(),
      '--disable-gpu',
      `--user-data-dir=${settings}`,
      '--',
      '--port',
      '0',
      '--logstash-port',
      '0',
      '--data',
      data,
    ],
    env: { ...(process.env as Record<string, string>), YARDMASTER_NODE: NODE },
  });
  const page = await app.firstWindow();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  return { app, page, data };
}
