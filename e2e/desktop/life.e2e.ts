import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { LocalFile } from '../../src/contract/process.ts';
import { openDesktop } from '../support/desktop.ts';
import { processesWith } from '../support/processes.ts';

const localOf = (data: string) => JSON.parse(readFileSync(join(data, 'local.json'), 'utf8')) as LocalFile;

test('quitting ends the master and its workers, and leaves no process', async () => {
  const { app, data } = await openDesktop();
  const { url } = localOf(data);
  expect(processesWith(data).length).toBeGreaterThan(0);
  const began = Date.now();
  await app.close();
  expect(Date.now() - began).toBeLessThan(15_000);
  await expect.poll(() => [...processesWith(data), ...processesWith(url)]).toEqual([]);
  expect(existsSync(join(data, 'local.json'))).toBe(false);
});

test('a master that dies is told to the user and comes back', async () => {
  const { app, page, data } = await openDesktop();
  try {
    const before = localOf(data).pid;
    process.kill(before, 'SIGKILL');
    await expect.poll(async () => (await page.evaluate(() => window.yardmaster?.call('local:status', null)))?.ok).toBe(true);
    await expect.poll(async () => ((await page.evaluate(() => window.yardmaster?.call('local:status', null))) as { value: { state: string; restarts: number } }).value, { timeout: 30_000 }).toMatchObject({ state: 'running', restarts: 1 });
    expect(localOf(data).pid).not.toBe(before);
    await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 30_000 });
  } finally {
    await app.close();
  }
});
