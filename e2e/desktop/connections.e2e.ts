import { expect, test } from '@playwright/test';
import type { ConnectionProbe, IpcChannel, IpcMap, ProbeReport } from '../../src/contract/ipc.ts';
import { VERSION } from '../../src/contract/version.ts';
import { createAuthority } from '../../src/lib/certificate-authority.fixture.ts';
import { callShell, openDesktop, switchCluster, type Desktop } from '../support/desktop.ts';
import { startMaster, temporaryFolder } from '../support/master.ts';
import { proxyTo, startTlsMaster } from '../support/tls-master.fake.ts';

/** One window for all of them: how masters elsewhere are reached. */
let desktop: Desktop;
const settings = temporaryFolder('settings');
test.beforeAll(async () => {
  desktop = await openDesktop(undefined, settings);
});
test.afterAll(() => desktop.app.close());
const call = <C extends IpcChannel>(channel: C, argument: IpcMap[C]['argument']) =>
  callShell(desktop.page, channel, argument);
const lead = (to: IpcMap['connections:select']['argument']) => switchCluster(desktop.page, to);
const house = createAuthority('House CA');
const tried = async (probe: ConnectionProbe) =>
  ((await call('connections:test', probe)) as ProbeReport).steps.find(({ state }) => state === 'failed') ?? 'good';

test('a remote connection is tried step by step, and the fault is named', async () => {
  const report = await desktop.page.evaluate(() =>
    window.yardmaster?.call('connections:test', { url: 'http://127.0.0.1:9', token: 'x' }),
  );
  expect(report).toMatchObject({ ok: true, value: { ok: false } });
  expect(JSON.stringify(report)).toContain('refuses connections on port 9');
});

test('a master with a certificate of an own authority is trusted by the connection that names it, and by no other', async () => {
  const good = await startTlsMaster(house.issue({ addresses: ['127.0.0.1'] }), VERSION);
  expect(await tried({ url: good.url, token: 'x' })).toMatchObject({
    step: 'tls',
    message: expect.stringContaining('not signed by a CA that this system trusts'),
  });
  expect(await tried({ url: good.url, token: 'x', ca: house.cert })).toBe('good');
  expect(await tried({ url: good.url, token: 'x', ca: createAuthority('Other CA').cert })).toMatchObject({
    step: 'tls',
    message: expect.stringContaining('not signed by Other CA'),
  });
  good.close();
  const expired = await startTlsMaster(house.issue({ addresses: ['127.0.0.1'], to: -1000 }), VERSION);
  expect(await tried({ url: expired.url, token: 'x', ca: house.cert })).toMatchObject({
    step: 'tls',
    message: expect.stringContaining('has expired'),
  });
  expired.close();
  const elsewhere = await startTlsMaster(house.issue({ names: ['yard.example.com'] }), VERSION);
  expect(await tried({ url: elsewhere.url, token: 'x', ca: house.cert })).toMatchObject({
    step: 'tls',
    message: expect.stringContaining('does not match'),
  });
  elsewhere.close();
});

test('a connection goes by its own proxy, and a proxy that is down is named', async () => {
  const master = await startTlsMaster(house.issue({ names: ['yard.example.com'] }), VERSION);
  const proxy = await proxyTo(master.port);
  expect(await tried({ url: 'https://yard.example.com', token: 'x', ca: house.cert, proxy: proxy.url })).toBe('good');
  expect(proxy.asked).toContain('yard.example.com:443');
  proxy.close();
  expect(
    await tried({ url: 'https://yard.example.com', token: 'x', ca: house.cert, proxy: 'http://127.0.0.1:9' }),
  ).toMatchObject({ step: 'connect', message: expect.stringContaining('refuses connections on port 9') });
  master.close();
});

test('a connection to several masters goes on by itself when the one it uses dies', async () => {
  const { page } = desktop;
  const first = await startMaster({ workers: 1 });
  const second = await startMaster({ workers: 1, env: { YARDMASTER_ADMIN_TOKEN: first.token } });
  await second.call('workflows.create', { body: { id: 'only-there', name: 'Only there' } });
  const { id } = await call('connections:add', {
    name: 'Two masters',
    url: `${first.url}, ${second.url}`,
    token: first.token,
    colour: null,
    production: false,
    readOnly: false,
    allowPlain: false,
  });
  expect(await tried({ url: `${first.url},${second.url}`, token: first.token })).toBe('good');
  await lead({ id });
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Workflows', exact: true }).click();
  await expect(page.getByRole('grid', { name: 'Workflows' })).toBeVisible();
  await expect(page.getByText('only-there')).toBeHidden();
  await first.kill();
  await expect(page.getByText('only-there')).toBeVisible();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  expect(await tried({ url: `${first.url},${second.url}`, token: first.token })).toMatchObject({ step: 'connect' });
  await lead({ id: 'local' });
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await call('connections:remove', { id });
  await second.stop();
});

test('a master of another version line is handed nothing, and the window says what to do', async () => {
  const { page } = desktop;
  const master = await startTlsMaster(house.issue({ addresses: ['127.0.0.1'] }), '9.1.0');
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
