import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import type { IpcChannel, IpcMap } from '../../src/contract/ipc.ts';
import type { LocalFile } from '../../src/contract/process.ts';
import { callShell, openDesktop, startAgain, switchCluster, type Desktop } from '../support/desktop.ts';
import { temporaryFolder } from '../support/master.ts';

/** One window for all of them: what the app does beside its page. */
let desktop: Desktop;
const settings = temporaryFolder('settings');
test.beforeAll(async () => {
  desktop = await openDesktop(undefined, settings);
});
test.afterAll(() => desktop.app.close());
const call = <C extends IpcChannel>(channel: C, argument: IpcMap[C]['argument']) =>
  callShell(desktop.page, channel, argument);
const lead = (to: IpcMap['connections:select']['argument']) => switchCluster(desktop.page, to);

test('a link opens its page in the running app, and one to an unknown cluster opens nothing', async () => {
  const { page, app } = desktop;
  await startAgain(settings, 'yardmaster://local/jobs?status=%5B%22FAILED%22%5D');
  await expect(page.getByRole('heading', { name: 'Jobs' })).toBeVisible();
  await startAgain(settings, 'yardmaster://elsewhere.example.com/jobs');
  await expect(page.getByText('No connection to elsewhere.example.com')).toBeVisible();
  expect(new URL(page.url()).host).toBe('local');
  expect(app.windows()).toHaveLength(1);
});

test('an item of the menu opens its page, and closes what lay over the one before', async () => {
  const { page, app } = desktop;
  const choose = (menu: string, item: string) =>
    app.evaluate(
      ({ Menu }, [where, what]) =>
        Menu.getApplicationMenu()
          ?.items.find(({ label }) => label === where)
          ?.submenu?.items.find(({ label }) => label === what)
          ?.click(),
      [menu, item] as const,
    );
  await choose('&Help', 'Keyboard Shortcuts');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await choose('&Go', 'Schedules');
  await expect(page.getByRole('heading', { name: 'Schedules', level: 1 })).toBeVisible();
  await choose('&Go', 'Fleet');
  await expect(page.getByRole('heading', { name: 'Fleet', level: 1 })).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
  // The toolkit of Linux takes these keys before the menu hears of them.
  await page.keyboard.press('Control+/');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('where no frame is, menu and links lead away as well', async () => {
  const { page } = desktop;
  const lead = async (path: string) => startAgain(settings, `yardmaster://local${path}`);
  await lead('/incident');
  await expect(page.getByRole('heading', { name: 'Open incident bundle' })).toBeVisible();
  await lead('/jobs');
  await expect(page.getByRole('heading', { name: 'Jobs' })).toBeVisible();
});

test('the page is zoomed alike in every cluster, by all the keys of a browser, and so at the next start', async () => {
  const { app, page } = desktop;
  const zoom = () =>
    app.evaluate(({ BrowserWindow }) =>
      Number(BrowserWindow.getAllWindows()[0]?.webContents.getZoomFactor().toFixed(2)),
    );
  const view = (label: string) =>
    app.evaluate(
      ({ Menu }, what) =>
        Menu.getApplicationMenu()
          ?.items.find((menu) => menu.label === '&View')
          ?.submenu?.items.filter((item) => item.label === what)
          .map(({ accelerator, visible }) => [accelerator, visible]),
      label,
    );
  expect([await view('Zoom In'), await view('Zoom Out'), await view('Actual Size')]).toEqual([
    [
      ['CmdOrCtrl+Plus', true],
      ['CmdOrCtrl+=', false],
      ['CmdOrCtrl+numadd', false],
    ],
    [
      ['CmdOrCtrl+-', true],
      ['CmdOrCtrl+numsub', false],
    ],
    [
      ['CmdOrCtrl+0', true],
      ['CmdOrCtrl+num0', false],
    ],
  ]);
  const press = (label: string) =>
    app.evaluate(
      ({ Menu }, what) =>
        Menu.getApplicationMenu()
          ?.items.find((menu) => menu.label === '&View')
          ?.submenu?.items.find((item) => item.label === what)
          ?.click(),
      label,
    );
  for (let i = 0; i < 3; i++) await press('Zoom In');
  expect(await zoom()).toBe(1.5);
  const { id } = await call('connections:add', {
    name: 'R&D',
    url: 'http://127.0.0.1:9701',
    token: 'x',
    colour: null,
    production: false,
    readOnly: false,
    allowPlain: false,
  });
  await lead({ id });
  await expect.poll(zoom).toBe(1.5);
  expect(
    await app.evaluate(
      ({ Menu }) =>
        Menu.getApplicationMenu()?.items.find(({ label }) => label === '&Cluster')?.submenu?.items[1]?.label,
    ),
  ).toBe('R&&D');
  await lead({ id: 'local' });
  await call('connections:remove', { id });
  expect(JSON.parse(readFileSync(join(settings, 'window.json'), 'utf8'))).toMatchObject({ zoom: 1.5 });
  await press('Actual Size');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  expect(await zoom()).toBe(1);
});

test('a workflow file becomes a draft in the builder', async () => {
  const { page } = desktop;
  await startAgain(settings, resolve('resources/examples/shout.workflow.json'));
  const dialog = page.getByRole('dialog', { name: 'Open shout.workflow.json' });
  await dialog.getByLabel('Id').fill('shout-again');
  await dialog.getByRole('button', { name: 'Create workflow' }).click();
  await expect(page).toHaveURL(/\/workflows\/shout-again/);
});

test('undo and redo of the menu are those of the builder as well', async () => {
  const { page, app } = desktop;
  const choose = (item: string) =>
    app.evaluate(
      ({ Menu }, what) =>
        Menu.getApplicationMenu()
          ?.items.find(({ label }) => label === '&Edit')
          ?.submenu?.items.find(({ label }) => label === what)
          ?.click(),
      item,
    );
  const nodes = page.locator('.react-flow__node');
  await expect(nodes).toHaveCount(4);
  await page.locator('.react-flow__pane').click({ position: { x: 300, y: 300 } });
  await page.keyboard.press('a');
  await page.getByRole('combobox', { name: 'Node type' }).press('Enter');
  // Others may be out of sight then, and are not drawn.
  const added = page.locator('.react-flow__node[data-id="transform"]');
  await expect(added).toHaveCount(1);
  await choose('Undo');
  await expect(added).toHaveCount(0);
  // The node that had the focus is gone: the builder takes it.
  await expect(page.locator(':focus')).toHaveCount(1);
  await choose('Redo');
  await expect(added).toHaveCount(1);
});

test('an error of the page is written down, and can be read under About', async () => {
  const { page } = desktop;
  await page.evaluate(
    () =>
      void setTimeout(() => {
        throw new Error('a planted error');
      }, 0),
  );
  await expect
    .poll(async () => (await call('reports:list', null)).map(({ message }) => message))
    .toContain('Uncaught Error: a planted error');
});

test('closing the window while a job runs asks, and it goes on in the tray', async () => {
  const { app, page, data } = desktop;
  const { url, apiKey, token } = JSON.parse(readFileSync(join(data, 'local.json'), 'utf8')) as LocalFile;
  const send = (path: string, body: unknown, method = 'POST') =>
    fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const slow = {
    schemaVersion: 1,
    name: 'Slow',
    response: 'list',
    nodes: [
      { id: 'input', type: 'input', name: 'Input' },
      { id: 'wait', type: 'delay', name: 'Wait', config: { seconds: 60 } },
      { id: 'output', type: 'output', name: 'Output' },
    ],
    edges: [
      { from: 'input', to: 'wait' },
      { from: 'wait', to: 'output' },
    ],
    output: 'output',
  };
  await send('/api/v1/workflows', { id: 'slow', name: 'Slow' });
  const saved = await send('/api/v1/workflows/slow/commits', { definition: slow, message: 'Wait', parent: null });
  const { hash } = (await saved.json()) as { hash: string };
  expect((await send('/api/v1/workflows/slow/environments/dev', { hash }, 'PUT')).ok).toBe(true);
  void fetch(`${url}/api/v1/events/slow/dev`, {
    method: 'POST',
    headers: { 'api-key': apiKey ?? '', 'content-type': 'application/json' },
    body: '[{}]',
  }).catch(() => undefined);
  await expect
    .poll(
      async () =>
        (
          (await (await fetch(`${url}/api/v1/overview`, { headers: { authorization: `Bearer ${token}` } })).json()) as {
            jobs: { running: number };
          }
        ).jobs.running,
    )
    .toBe(1);

  await app.evaluate(({ dialog, BrowserWindow }) => {
    dialog.showMessageBox = ((_window: unknown, { message }: { message: string }) => {
      Reflect.set(globalThis, 'askedToClose', message);
      return Promise.resolve({ response: 0, checkboxChecked: true });
    }) as never;
    BrowserWindow.getAllWindows()[0]?.close();
  });
  await expect
    .poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible()))
    .toBe(false);
  expect(await app.evaluate(() => Reflect.get(globalThis, 'askedToClose') as unknown)).toBe(
    '1 job is running on this machine',
  );
  expect((await call('desktop:state', null)).preferences.onClose).toBe('tray');
  await startAgain(settings);
  await expect
    .poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible()))
    .toBe(true);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();

  // Quitting lets running tasks end, which nobody waits for here.
  const { items } = (await (
    await fetch(`${url}/api/v1/jobs?workflowId=slow`, { headers: { authorization: `Bearer ${token}` } })
  ).json()) as { items: { id: string }[] };
  expect(
    (
      await fetch(`${url}/api/v1/jobs/kill/${items[0]?.id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${token}` },
      })
    ).ok,
  ).toBe(true);
});
