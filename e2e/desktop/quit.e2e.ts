import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ElectronApplication, expect, type Page, test } from '@playwright/test';
import type { LocalFile } from '../../src/contract/process.ts';
import { callShell, openDesktop, startAgain } from '../support/desktop.ts';
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

async function enterSomething(page: Page) {
  await page.getByRole('link', { name: 'Schedules' }).click();
  await page.getByRole('button', { name: 'New schedule' }).first().click();
  const description = page.getByRole('dialog', { name: 'New schedule' }).getByRole('textbox', { name: 'Description' });
  await description.click();
  await page.keyboard.type('Every morning');
  return description;
}

/** The native question, which a person answers: `asked` says how often it came. */
async function questions(app: ElectronApplication) {
  await app.evaluate(({ dialog }) => {
    const state = { asked: 0, answer: (_response: number): void => undefined };
    Reflect.set(globalThis, 'question', state);
    dialog.showMessageBox = ((_window: unknown, { message }: { message: string }) => {
      if (message !== 'Discard changes?') throw new Error(`not expected: ${message}`);
      state.asked++;
      return new Promise((resolve) => {
        state.answer = (response) => resolve({ response, checkboxChecked: false });
      });
    }) as unknown as typeof dialog.showMessageBox;
  });
  return {
    asked: () => app.evaluate(() => (Reflect.get(globalThis, 'question') as { asked: number }).asked),
    answer: (response: 0 | 1) =>
      app.evaluate(
        (_electron, given) => (Reflect.get(globalThis, 'question') as { answer(response: number): void }).answer(given),
        response,
      ),
  };
}

test('it asks before a form is lost with its window, and a signal ends it all the same', async () => {
  const { app, page, data } = await openDesktop();
  const pid = app.process().pid ?? 0;
  try {
    const description = await enterSomething(page);
    const { asked, answer } = await questions(app);
    const { id } = await callShell(page, 'connections:add', {
      ...{ name: 'Elsewhere', url: 'http://127.0.0.1:9', token: 'x', colour: null },
      ...{ production: false, readOnly: false, allowPlain: false },
    });
    const ways = [
      () => callShell(page, 'connections:select', { id }),
      () => app.evaluate((electron) => electron.app.quit()),
      () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close()),
      () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.reload()),
      () =>
        app.evaluate(({ Menu }) =>
          Menu.getApplicationMenu()
            ?.items.find(({ label }) => label === '&File')
            ?.submenu?.items.find(({ label }) => label === 'Quit')
            ?.click(),
        ),
    ];
    for (const [i, leave] of ways.entries()) {
      await leave();
      await expect.poll(asked).toBe(i + 1);
      await expect(description).toHaveValue('Every morning');
      await answer(0);
      // It is its cluster again that the app shows.
      await expect
        .poll(async () => (await callShell(page, 'connections:list', null)).find(({ selected }) => selected)?.id)
        .toBe('local');
    }
    // A quit while something else is asked about: who keeps editing keeps the app, too, and closing its window is asked about again.
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.reload());
    await expect.poll(asked).toBe(ways.length + 1);
    await app.evaluate(async (electron) => {
      const window = electron.BrowserWindow.getAllWindows()[0];
      const stays = new Promise((resolve) => window?.webContents.once('will-prevent-unload', resolve));
      electron.app.quit();
      await stays;
    });
    await answer(0);
    await expect(description).toHaveValue('Every morning');
    await app.evaluate((electron) => electron.app.quit());
    await expect.poll(asked).toBe(ways.length + 2);
    process.kill(pid, 'SIGTERM');
    await expect.poll(() => lives(pid)).toBe(false);
    await expect.poll(() => processesWith(data)).toEqual([]);
  } finally {
    if (lives(pid)) process.kill(pid, 'SIGKILL');
    forget(data);
  }
});

test('it quits once what was entered may be lost', async () => {
  const { app, page, data } = await openDesktop();
  const pid = app.process().pid ?? 0;
  try {
    const { asked, answer } = await questions(app);
    let description = await enterSomething(page);
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.reload());
    await expect.poll(asked).toBe(1);
    await expect(description).toHaveValue('Every morning');
    await answer(1);
    await expect(page.getByRole('dialog', { name: 'New schedule' })).toHaveCount(0);

    description = await enterSomething(page);
    await app.evaluate((electron) => electron.app.quit());
    await expect.poll(asked).toBe(2);
    await expect(description).toHaveValue('Every morning');
    await answer(1);
    await expect.poll(() => lives(pid)).toBe(false);
    await expect.poll(() => processesWith(data)).toEqual([]);
  } finally {
    if (lives(pid)) process.kill(pid, 'SIGKILL');
    forget(data);
  }
});
