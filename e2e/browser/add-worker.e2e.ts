import { spawn, type ChildProcess } from 'node:child_process';
import { CLI, NODE, temporaryFolder, forget } from '../support/master.ts';
import { violationsOf } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';

const started: ChildProcess[] = [];
let folder: string;
test.beforeAll(() => void (folder = temporaryFolder('added-worker')));
test.afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
  forget(folder);
});

/** What somebody does who pastes the command into another terminal. */
function paste(command: string): void {
  const [, token = '', url = ''] =
    /^YARDMASTER_WORKER_TOKEN=(\S+) yardmaster worker --master (\S+)/.exec(command) ?? [];
  started.push(
    spawn(NODE, [CLI, 'worker', '--master', url, '--capacity', '3'], {
      cwd: folder,
      env: { ...process.env, YARDMASTER_WORKER_TOKEN: token },
      stdio: 'ignore',
    }),
  );
}

test('a worker is added: its token and command, why one is refused, and a greeting when it comes', async ({
  page,
  master,
}) => {
  await page.goto(`${master.url}/workers`);
  await page.getByRole('button', { name: 'Add worker' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add worker' });
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Pool B');
  await dialog.getByRole('checkbox', { name: 'dev' }).check();
  await dialog.getByRole('button', { name: 'Create token' }).click();

  await expect(dialog.getByText('Waiting for the worker…')).toBeVisible();
  const command = (await dialog.getByRole('tabpanel').locator('code').first().textContent()) ?? '';
  expect(command).toContain(`--master ${master.url}`);
  for (const way of ['Node.js', 'Docker', 'systemd']) {
    await dialog.getByRole('tab', { name: way }).click();
    await expect(dialog.getByRole('tabpanel').locator('code').first()).toContainText(master.url);
  }
  expect((await violationsOf(page)).filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);

  paste(command.replace(/TOKEN=\S+/, 'TOKEN=ymt_of-somebody-else'));
  await expect(dialog.getByText('A worker was refused')).toBeVisible();
  await expect(dialog.getByText(/the token is unknown, revoked or expired/)).toBeVisible();

  paste(command);
  await expect(dialog.getByText(/Worker …\w{8} is connected/)).toBeVisible();
  await expect(dialog.getByText('3 slots')).toBeVisible();
  // The token has come to its worker: Escape loses nothing any more.
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  const id = (await master.call('workers.list')).items.find(({ maxTasks }) => maxTasks === 3)?.id ?? '';
  expect(await master.call('workers.get', { params: { id } })).toMatchObject({ environments: ['dev'], maxTasks: 3 });
  // The next tests find the workers that they know.
  started.at(-1)?.kill('SIGTERM');
  await expect.poll(async () => (await master.call('workers.get', { params: { id } })).state).toBe('Down');
  await master.call('workers.forget', { params: { id } });
});
