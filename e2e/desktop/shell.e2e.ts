import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import type { ConnectionProbe, IpcChannel, IpcMap, ProbeReport } from '../../src/contract/ipc.ts';
import type { LocalFile } from '../../src/contract/process.ts';
import { VERSION } from '../../src/contract/version.ts';
import { createAuthority } from '../../src/lib/certificate-authority.fixture.ts';
import { openDesktop, startAgain, type Desktop } from '../support/desktop.ts';
import { temporaryFolder } from '../support/master.ts';
import { oddMaster } from '../support/odd-master.ts';
import { proxyTo, tlsMaster } from '../support/tls-master.ts';

/** One window for all of them: the walls around its page, and what the app does beside it. */
let desktop: Desktop;
const settings = temporaryFolder('settings');
test.beforeAll(async () => {
  desktop = await openDesktop(undefined, settings);
});
test.afterAll(() => desktop.app.close());

async function call<C extends IpcChannel>(channel: C, argument: IpcMap[C]['argument']): Promise<IpcMap[C]['answer']> {
  const outcome = await desktop.page.evaluate(
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
async function lead(to: IpcMap['connections:select']['argument']): Promise<void> {
  await desktop.page.evaluate((argument) => {
    Reflect.set(window, 'left', false);
    void window.yardmaster?.call('connections:select', argument);
  }, to);
  const arrived = () =>
    desktop.page.evaluate(() => [Reflect.get(window, 'left'), location.host, location.pathname]).catch(() => null);
  await expect.poll(arrived, { timeout: 30_000 }).toEqual([undefined, to.id, '/']);
}
const house = createAuthority('House CA');
const tried = async (probe: ConnectionProbe) =>
  ((await call('connections:test', probe)) as ProbeReport).steps.find(({ state }) => state === 'failed') ?? 'good';

test('the page has no Node, no Electron, no token', async () => {
  const seen = await desktop.page.evaluate(() => ({
    require: typeof Reflect.get(globalThis, 'require'),
    process: typeof Reflect.get(globalThis, 'process'),
    bridge: Object.keys(window.yardmaster ?? {}).sort(),
    storage: JSON.stringify({ ...localStorage }) + document.cookie,
  }));
  expect(seen).toMatchObject({ require: 'undefined', process: 'undefined', bridge: ['call', 'on'] });
  expect(seen.storage).not.toContain('ymt_');
});

test('the page reaches its own origin alone', async () => {
  const answers = await desktop.page.evaluate(async () => {
    const attempt = (url: string) =>
      fetch(url)
        .then((answer) => answer.status)
        .catch(() => 'refused');
    return [
      await attempt('/api/v1/session'),
      await attempt('http://127.0.0.1:9/'),
      await attempt('https://example.com/'),
    ];
  });
  expect(answers).toEqual([200, 'refused', 'refused']);
});

test('it cannot be led away, open windows, or be granted permissions', async () => {
  const { app, page } = desktop;
  const here = new URL(page.url()).host;
  await page.evaluate(() => {
    window.open('https://127.0.0.1:9/', '_blank');
    location.href = 'data:text/html,elsewhere';
  });
  const permission = await page.evaluate(() => Notification.requestPermission());
  expect(permission).toBe('denied');
  expect(app.windows()).toHaveLength(1);
  expect(new URL(page.url()).host).toBe(here);
});

test('bad arguments and unknown channels are refused with a reason', async () => {
  const outcomes = await desktop.page.evaluate(async () => {
    const call = window.yardmaster?.call as (
      channel: string,
      argument: unknown,
    ) => Promise<{ ok: boolean; code: string }>;
    return [
      await call('connections:select', { id: '../elsewhere' }),
      await call('app:open-external', 'file:///etc/passwd'),
      await call('shell:run', 'x'),
    ].map((outcome) => outcome.code);
  });
  expect(outcomes).toEqual(['ARGUMENT_INVALID', 'ARGUMENT_INVALID', 'CHANNEL_UNKNOWN']);
});

test('where updates come from is asked back in a window of the system, which no page can press', async () => {
  await desktop.app.evaluate(({ dialog }) => {
    dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false });
  });
  const outcome = await desktop.page.evaluate(() =>
    window.yardmaster?.call('desktop:prefer', { updateFeed: 'https://evil.example.com/updates' }),
  );
  expect(outcome).toMatchObject({ ok: false, code: 'FEED_REFUSED' });
  expect((await call('updates:status', null)).state).toBe('off');
});

test('whatever a master answers, a request of the page ends, the app goes on, and nothing of it becomes the page', async () => {
  const { page } = desktop;
  const master = await oddMaster(VERSION, {
    status: 'HTTP/1.1 999 Odd\r\ncontent-length: 2\r\n\r\n{}',
    head: 'HTTP/1.1 200 OK\r\nx-name: \u2603\r\ncontent-length: 2\r\n\r\n{}',
    elsewhere: 'HTTP/1.1 302 Found\r\nlocation: file:///etc/passwd\r\ncontent-length: 0\r\n\r\n',
    page: 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nset-cookie: a=b\r\ncontent-length: 42\r\n\r\n<script>document.title = "taken"</script>  ',
  });
  const { id } = await call('connections:add', {
    name: 'Odd',
    url: master.url,
    token: 'x',
    colour: null,
    production: false,
    readOnly: false,
    allowPlain: false,
  });
  await lead({ id });
  const answers = await page.evaluate(async () => {
    const ask = async (name: string) => {
      const answer = await fetch(`/api/v1/odd/${name}`);
      return [
        answer.status,
        answer.headers.get('content-security-policy'),
        ((await answer.json().catch(() => ({}))) as { code?: string }).code,
      ];
    };
    return [await ask('status'), await ask('head'), await ask('elsewhere'), await ask('page')];
  });
  expect(answers).toEqual([
    [502, null, 'MASTER_UNREACHABLE'],
    [502, null, 'MASTER_UNREACHABLE'],
    [502, null, 'MASTER_REDIRECTS'],
    [200, "default-src 'none'; sandbox", undefined],
  ]);
  await page.evaluate(() => {
    location.href = '/api/v1/odd/page';
  });
  await lead({ id, path: '/api/v1/odd/page' });
  expect(await page.title()).not.toBe('taken');
  await lead({ id: 'local' });
  await call('connections:remove', { id });
  expect((await call('reports:list', null)).filter(({ source }) => source === 'app')).toEqual([]);
  master.close();
});

test('a remote connection is tried step by step, and the fault is named', async () => {
  const report = await desktop.page.evaluate(() =>
    window.yardmaster?.call('connections:test', { url: 'http://127.0.0.1:9', token: 'x' }),
  );
  expect(report).toMatchObject({ ok: true, value: { ok: false } });
  expect(JSON.stringify(report)).toContain('refuses connections on port 9');
});

test('a master with a certificate of an own authority is trusted by the connection that names it, and by no other', async () => {
  const good = await tlsMaster(house.issue({ addresses: ['127.0.0.1'] }), VERSION);
  expect(await tried({ url: good.url, token: 'x' })).toMatchObject({
    step: 'tls',
    message: expect.stringContaining('signed by nobody that this system trusts'),
  });
  expect(await tried({ url: good.url, token: 'x', ca: house.cert })).toBe('good');
  expect(await tried({ url: good.url, token: 'x', ca: createAuthority('Other CA').cert })).toMatchObject({
    step: 'tls',
    message: expect.stringContaining('not signed by Other CA'),
  });
  good.close();
  const expired = await tlsMaster(house.issue({ addresses: ['127.0.0.1'], to: -1000 }), VERSION);
  expect(await tried({ url: expired.url, token: 'x', ca: house.cert })).toMatchObject({
    step: 'tls',
    message: expect.stringContaining('has expired'),
  });
  expired.close();
  const elsewhere = await tlsMaster(house.issue({ names: ['yard.example.com'] }), VERSION);
  expect(await tried({ url: elsewhere.url, token: 'x', ca: house.cert })).toMatchObject({
    step: 'tls',
    message: expect.stringContaining('for another name'),
  });
  elsewhere.close();
});

test('a connection goes by its own proxy, and a proxy that is down is named', async () => {
  const master = await tlsMaster(house.issue({ names: ['yard.example.com'] }), VERSION);
  const proxy = await proxyTo(master.port);
  expect(await tried({ url: 'https://yard.example.com', token: 'x', ca: house.cert, proxy: proxy.url })).toBe('good');
  expect(proxy.asked).toContain('yard.example.com:443');
  proxy.close();
  expect(
    await tried({ url: 'https://yard.example.com', token: 'x', ca: house.cert, proxy: 'http://127.0.0.1:9' }),
  ).toMatchObject({ step: 'connect', message: expect.stringContaining('refuses connections on port 9') });
  master.close();
});

test('a master of another version line is handed nothing, and the window says what to do', async () => {
  const { page } = desktop;
  const master = await tlsMaster(house.issue({ addresses: ['127.0.0.1'] }), '9.1.0');
  const { id } = await call('connections:add', {
    name: 'Far ahead',
    url: master.url,
    token: 'x',
    colour: null,
    production: false,
    readOnly: false,
    allowPlain: false,
    ca: house.cert,
  });
  await lead({ id });
  await expect(page.getByText(`Far ahead is version 9.1.0, this app is ${VERSION}`)).toBeVisible();
  expect(await page.evaluate(() => fetch('/api/v1/jobs').then((answer) => answer.json()))).toMatchObject({
    code: 'VERSION_UNSAFE',
  });
  await page.getByRole('button', { name: 'Go to This machine' }).click();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await call('connections:remove', { id });
  master.close();
});

test('a link opens its page in the running app, and one to an unknown cluster opens nothing', async () => {
  const { page, app } = desktop;
  await startAgain(settings, 'yardmaster://local/jobs?status=%5B%22FAILED%22%5D');
  await expect(page.getByRole('heading', { name: 'Jobs' })).toBeVisible();
  await startAgain(settings, 'yardmaster://elsewhere.example.com/jobs');
  await expect(page.getByText('There is no connection to elsewhere.example.com here')).toBeVisible();
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

test('a workflow file becomes a draft in the editor', async () => {
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
  await expect(nodes).toHaveCount(5);
  await choose('Undo');
  await expect(nodes).toHaveCount(4);
  // The node that had the focus is gone: the builder takes it.
  await expect(page.locator(':focus')).toHaveCount(1);
  await choose('Redo');
  await expect(nodes).toHaveCount(5);
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
