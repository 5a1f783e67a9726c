import { expect, test } from '@playwright/test';
import { greeter } from '../support/workflow-definitions.ts';
import { openDesktop } from '../support/desktop.ts';
import { forget, publish, startMaster } from '../support/master.ts';
import { searchUntilFound } from '../support/fleet-search.ts';
import type { DesktopPicture } from '../support/pages.ts';
import { takePicture } from '../support/screenshots.ts';

test('a fleet of which one is frozen and one is dead answers and is searched; production is marked and read-only holds', async () => {
  const [prod, gone, desktop] = await Promise.all([
    startMaster({ workers: 0 }),
    startMaster({ workers: 0 }),
    openDesktop(),
  ]);
  const { page } = desktop;
  try {
    const hash = await publish(prod, 'fleet-greeter', greeter);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Add connection' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('Plant A');
    await form.getByLabel('Master URL').fill(prod.url);
    await form.getByRole('textbox', { name: 'Token' }).fill(prod.token);
    await form.getByLabel('This is production').check();
    await form.getByLabel('Read-only').check();
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(form).toBeHidden();
    await page.evaluate(
      ({ url, token }) =>
        window.yardmaster?.call('connections:add', {
          name: 'Plant B',
          url,
          token,
          colour: '#1b8a6b',
          production: false,
          readOnly: false,
          allowPlain: false,
        }),
      { url: gone.url, token: gone.token },
    );

    await page.getByRole('link', { name: 'Fleet' }).click();
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    for (const name of ['This machine', 'Plant A', 'Plant B'])
      await expect(row(name).getByText('Online', { exact: true })).toBeVisible();

    await gone.kill();
    process.kill(prod.pid, 'SIGSTOP');
    await page.getByRole('button', { name: 'Live', exact: true }).click();
    await expect(row('Plant A').getByText('Not responding')).toBeVisible();
    await expect(row('Plant B').getByText('Not responding')).toBeVisible();
    await expect(row('This machine').getByText('Online', { exact: true })).toBeVisible();
    await expect(page.getByText('no response within 5 s').first()).toBeVisible();
    await page.getByRole('textbox', { name: 'Search all clusters' }).fill('reserve-stock');
    const here = page.getByRole('region', { name: /This machine/ });
    await expect(here.getByRole('button', { name: /reserve-stock/ }).first()).toBeVisible();
    await expect(page.getByRole('region', { name: /Plant B/ }).getByText(/Search failed/)).toBeVisible();

    // No hint over what the pointer was left on.
    await page.mouse.move(700, 760);
    await expect(page.getByRole('tooltip')).toHaveCount(0);
    await expect(
      page.getByRole('region', { name: /Plant A/ }).getByText(/No response yet|Search failed/),
    ).toBeVisible();
    await takePicture(page, 'desktop-fleet' satisfies DesktopPicture, 'light');

    process.kill(prod.pid, 'SIGCONT');
    await page.getByRole('textbox', { name: 'Search all clusters' }).fill(hash.slice(0, 10));
    // One that has just come back may need longer than the five seconds that it is given.
    const plantA = page.getByRole('region', { name: /Plant A/ });
    const found = plantA.getByRole('button', { name: /fleet-greeter/ });
    await searchUntilFound(plantA, found);
    await found.click();
    await expect(page.getByRole('note', { name: 'About this connection' })).toContainText('Production: Plant A');
    await expect(page).toHaveURL(new RegExp(`/workflows/fleet-greeter\\?.*${hash}`));

    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Workflows' }).click();
    const create = page.getByRole('button', { name: 'New workflow' }).first();
    await expect(create).toHaveAttribute('aria-disabled', 'true');
    await create.hover();
    await expect(page.getByText('This connection is read-only in this app').first()).toBeVisible();
    await takePicture(page, 'desktop-production' satisfies DesktopPicture, 'light');
    // The menu leads there all the same, and nobody fills the form in for nothing.
    await desktop.app.evaluate(({ Menu }) =>
      Menu.getApplicationMenu()
        ?.items.find(({ label }) => label === '&File')
        ?.submenu?.items[0]?.click(),
    );
    const dialog = page.getByRole('dialog', { name: 'New workflow' });
    await expect(dialog.getByText('This connection is read-only in this app')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Create' })).toBeDisabled();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    const refused = await page.evaluate(async () => {
      const answer = await fetch('/api/v1/workflows', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"id":"x","name":"x"}',
      });
      return [answer.status, ((await answer.json()) as { code: string }).code];
    });
    expect(refused).toEqual([403, 'CONNECTION_READ_ONLY']);

    // Taking it back asks in a window of the system; who does not agree changes nothing.
    await desktop.app.evaluate(({ dialog }) => {
      dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false });
    });
    const id = new URL(page.url()).host;
    const kept = await page.evaluate(
      (connection) => window.yardmaster?.call('connections:update', { id: connection, readOnly: false }),
      id,
    );
    expect(kept).toMatchObject({ ok: false, code: 'STAYS_READ_ONLY' });
  } finally {
    process.kill(prod.pid, 'SIGCONT');
    await desktop.app.close();
    await Promise.all([prod.stop(), gone.stop()]);
    for (const { data } of [prod, gone]) forget(data);
  }
});
