import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { openDesktop } from '../support/desktop.ts';
import { forget, startMaster, temporaryFolder } from '../support/master.ts';

test('a connection whose token was kept until the app ended says so, and goes on once it is entered', async () => {
  const settings = temporaryFolder('settings');
  const [plant, first] = await Promise.all([startMaster({ workers: 0 }), openDesktop(undefined, settings)]);
  const { url, token } = plant;
  const added = (await first.page.evaluate(
    (to) =>
      window.yardmaster?.call('connections:add', {
        name: 'Plant A',
        ...to,
        colour: null,
        production: true,
        readOnly: false,
        allowPlain: false,
      }),
    { url, token },
  )) as { value: { id: string } };
  await first.app.close();
  // As where the system has no key store.
  const file = join(settings, 'connections.json');
  const saved = JSON.parse(readFileSync(file, 'utf8')) as { remotes: { secret: unknown }[] };
  for (const remote of saved.remotes) remote.secret = null;
  writeFileSync(file, JSON.stringify(saved));

  const { app, page, data } = await openDesktop(first.data, settings);
  try {
    await page.evaluate((id) => void window.yardmaster?.call('connections:select', { id }), added.value.id);
    await expect(page.getByText('The token for Plant A was only kept until the app was closed.')).toBeVisible();
    await expect(page.getByText('TOKEN_UNKNOWN')).toBeVisible();
    await page.getByRole('button', { name: 'Manage connections' }).click();
    await page.getByRole('button', { name: 'Edit Plant A' }).click();
    const form = page.getByRole('dialog', { name: 'Edit connection' });
    await form.getByRole('textbox', { name: 'Token' }).fill(token);
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    await expect(page.getByText('The token for Plant A was only kept until the app was closed.')).toBeHidden();
    expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getTitle())).toBe(
      'Connections, settings · Plant A · Yardmaster',
    );
  } finally {
    await app.close();
    await plant.stop();
    for (const folder of [data, plant.data]) forget(folder);
  }
});
