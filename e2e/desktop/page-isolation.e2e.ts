import { expect, test } from '@playwright/test';
import type { IpcChannel, IpcMap } from '../../src/contract/ipc.ts';
import { VERSION } from '../../src/contract/version.ts';
import { callShell, openDesktop, switchCluster, type Desktop } from '../support/desktop.ts';
import { temporaryFolder } from '../support/master.ts';
import { startHostileMaster } from '../support/hostile-master.fake.ts';

/** One window for all of them: the walls around its page. */
let desktop: Desktop;
const settings = temporaryFolder('settings');
test.beforeAll(async () => {
  desktop = await openDesktop(undefined, settings);
});
test.afterAll(() => desktop.app.close());
const call = <C extends IpcChannel>(channel: C, argument: IpcMap[C]['argument']) =>
  callShell(desktop.page, channel, argument);
const lead = (to: IpcMap['connections:select']['argument']) => switchCluster(desktop.page, to);

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
  const master = await startHostileMaster(VERSION, {
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
