import { expect, test } from '@playwright/test';
import { openDesktop, type Desktop } from '../support/desktop.ts';

let desktop: Desktop;
test.beforeAll(async () => {
  desktop = await openDesktop();
});
test.afterAll(() => desktop.app.close());

test('the page has no Node, no Electron, no token', async () => {
  const seen = await desktop.page.evaluate(() => ({ require: typeof Reflect.get(globalThis, 'require'), process: typeof Reflect.get(globalThis, 'process'), bridge: Object.keys(window.yardmaster ?? {}).sort(), storage: JSON.stringify({ ...localStorage }) + document.cookie }));
  expect(seen).toMatchObject({ require: 'undefined', process: 'undefined', bridge: ['call', 'on'] });
  expect(seen.storage).not.toContain('ymt_');
});

test('the page reaches its own origin alone', async () => {
  const answers = await desktop.page.evaluate(async () => {
    const attempt = (url: string) => fetch(url).then((answer) => answer.status).catch(() => 'refused');
    return [await attempt('/api/v1/session'), await attempt('http://127.0.0.1:9/'), await attempt('https://example.com/')];
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
    const call = window.yardmaster?.call as (channel: string, argument: unknown) => Promise<{ ok: boolean; code: string }>;
    return [await call('connections:select', { id: '../elsewhere' }), await call('app:open-external', 'file:///etc/passwd'), await call('shell:run', 'x')].map((outcome) => outcome.code);
  });
  expect(outcomes).toEqual(['ARGUMENT_INVALID', 'ARGUMENT_INVALID', 'CHANNEL_UNKNOWN']);
});

test('a remote connection is tried step by step, and the fault is named', async () => {
  const report = await desktop.page.evaluate(() => window.yardmaster?.call('connections:test', { url: 'http://127.0.0.1:9', token: 'x' }));
  expect(report).toMatchObject({ ok: true, value: { ok: false } });
  expect(JSON.stringify(report)).toContain('refuses connections on port 9');
});
