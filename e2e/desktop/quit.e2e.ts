import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { LocalFile } from '../../src/contract/process.ts';
import { openDesktop, startAgain } from '../support/desktop.ts';
import { forget, temporaryFolder } from '../support/master.ts';
import { processesWith } from '../support/processes.ts';

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('it quits where its master does not run', async () => {
  const { app, page, data } = await openDesktop();
  const pid = app.process().pid ?? 0;
  await app.evaluate(({ Menu }) =>
    Menu.getApplicationMenu()
      ?.items.find(({ label }) => label === '&Cluster')
      ?.submenu?.items.find(({ label }) => label === 'Stop')
      ?.click(),
  );
  await expect(
    page.getByText(
      'The local master is stopped. You are seeing its last known state. Unfinished jobs continue at the next start.',
    ),
  ).toBeVisible();
  await app.evaluate((electron) => electron.app.quit());
  try {
    await expect.poll(() => lives(pid)).toBe(false);
  } finally {
    if (lives(pid)) process.kill(pid, 'SIGKILL');
    forget(data);
  }
});

test('started again while its master still lets tasks end, it comes back with what that start was to open', async () => {
  const settings = temporaryFolder('settings');
  const { app, data } = await openDesktop(undefined, settings);
  const local = () => JSON.parse(readFileSync(join(data, 'local.json'), 'utf8')) as LocalFile;
  const first = app.process().pid ?? 0;
  const before = local();
  process.kill(before.pid, 'SIGSTOP');
  try {
    await app.evaluate((electron) => electron.app.quit());
    await expect.poll(() => app.windows().map((window) => window.url().slice(0, 15))).toEqual(['data:text/html;']);
    await startAgain(
      settings,
      'yardmaster://local/failures',
      '--',
      '--port',
      '0',
      '--logstash-port',
      '0',
      '--data',
      data,
    );
    expect(app.windows()).toHaveLength(1);
    process.kill(before.pid, 'SIGCONT');
    await expect.poll(() => lives(first)).toBe(false);
    await expect(() => expect(local().pid).not.toBe(before.pid)).toPass();
    expect(processesWith(settings).join('\n')).toContain('yardmaster://local/failures');
  } finally {
    for (const line of processesWith(settings).filter((one) => !one.includes('--type=')))
      process.kill(Number.parseInt(line, 10), 'SIGTERM');
    await expect.poll(() => [...processesWith(settings), ...processesWith(data)]).toEqual([]);
    forget(data);
  }
});
