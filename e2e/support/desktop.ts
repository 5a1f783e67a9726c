import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { resolve } from 'node:path';
import { NODE, temporaryFolder } from './master.ts';

export interface Desktop {
  app: ElectronApplication;
  page: Page;
  data: string;
}

/** The real app in real Electron, with a data folder and settings of its own. */
export async function openDesktop(data = temporaryFolder('data'), settings = temporaryFolder('settings')): Promise<Desktop> {
  const executablePath = process.env['YARDMASTER_E2E_ELECTRON'];
  if (!executablePath) throw new Error('YARDMASTER_E2E_ELECTRON names no Electron: run the tests with npm test or npm run e2e');
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const app = await _electron.launch({
    executablePath,
    args: [resolve(process.env['YARDMASTER_E2E_APP'] ?? '.'), ...sandbox, '--disable-gpu', `--user-data-dir=${settings}`, '--', '--port', '0', '--logstash-port', '0', '--data', data],
    env: { ...(process.env as Record<string, string>), YARDMASTER_NODE: NODE },
  });
  const page = await app.firstWindow();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  return { app, page, data };
}
