import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { LocalStatus } from '../../src/contract/ipc.ts';
import type { LocalFile } from '../../src/contract/process.ts';
import { publishAndCall } from '../support/publish-and-call.ts';
import { openDesktop, type Desktop } from '../support/desktop.ts';
import { temporaryFolder } from '../support/master.ts';
import { living, processesWith, workersOf } from '../support/processes.ts';

/** One window from its first day to its last: each of these goes on where the one before it ended. */
let desktop: Desktop;
const settings = temporaryFolder('settings');
test.beforeAll(async () => {
  desktop = await openDesktop(undefined, settings);
});
test.afterAll(() => desktop.app.close());

const local = () => JSON.parse(readFileSync(join(desktop.data, 'local.json'), 'utf8')) as LocalFile;

test(
  'an author makes a workflow, publishes it, calls it and sees its job, in the desktop window',
  { tag: '@goal' },
  async () => {
    await publishAndCall(desktop.page, local().url);
  },
);

test('a master that dies is told to the user and comes back', async () => {
  const { page } = desktop;
  const before = local().pid;
  process.kill(before, 'SIGKILL');
  await expect(page.getByText('The local master is restarting.')).toBeVisible();
  const status = async () =>
    ((await page.evaluate(() => window.yardmaster?.call('local:status', null))) as { value: LocalStatus }).value;
  await expect.poll(status).toMatchObject({ state: 'running', restarts: 1 });
  expect(local().pid).not.toBe(before);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
});

test(
  'an app that dies takes its master with it, in order, and the next start finds all that was there',
  { tag: '@goal' },
  async () => {
    const { app, data } = desktop;
    const { url, token, pid } = local();
    const workers = workersOf(pid);
    const jobs = async (master: { url: string; token: string }) =>
      (
        (await (
          await fetch(`${master.url}/api/v1/jobs`, { headers: { authorization: `Bearer ${master.token}` } })
        ).json()) as { items: { id: string }[] }
      ).items.map(({ id }) => id);
    const before = await jobs({ url, token });
    expect(before.length).toBeGreaterThan(0);
    const ended = app.waitForEvent('close');
    process.kill(app.process().pid ?? 0, 'SIGKILL');
    await ended;
    // At once, as somebody does whose window has vanished: the master that is just ending is waited for.
    desktop = await openDesktop(data, settings);
    expect(local().pid).not.toBe(pid);
    expect(await jobs(local())).toEqual(before);
    expect(workers).toHaveLength(2);
    await expect.poll(() => living([pid, ...workers])).toEqual([]);
  },
);

test('quitting ends the master and its workers, and leaves no process', { tag: '@goal' }, async () => {
  const { app, data } = desktop;
  const { pid } = local();
  const workers = workersOf(pid);
  expect(processesWith(data).length).toBeGreaterThan(0);
  expect(workers).toHaveLength(2);
  const began = Date.now();
  await app.close();
  expect(Date.now() - began).toBeLessThan(15_000);
  await expect.poll(() => [...processesWith(data), ...living([pid, ...workers])]).toEqual([]);
  expect(existsSync(join(data, 'local.json'))).toBe(false);
});
