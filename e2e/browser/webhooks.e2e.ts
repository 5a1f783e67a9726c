import { createHmac } from 'node:crypto';
import { publish } from '../support/master.ts';
import { lookInBothThemes } from '../support/both-themes.ts';
import { openPage } from '../support/open-page.ts';
import { takePicture } from '../support/screenshots.ts';
import { expect, test } from '../support/test.ts';
import { greeter } from '../support/workflow-definitions.ts';

test('a webhook for GitHub is made, takes a delivery once, shows why it refuses another, and replays one', async ({
  page,
  master,
}) => {
  await publish(master, 'hooked', greeter);
  await openPage(page, `${master.url}/workflows/hooked?tab=webhooks`);
  await expect(page.getByText('No webhooks yet')).toBeVisible();
  await page.getByRole('button', { name: 'New webhook' }).first().click();
  const form = page.getByRole('dialog', { name: 'New webhook' });
  await takePicture(page, 'webhook-new', 'light');
  await form.getByRole('textbox', { name: 'Path' }).fill('github-orders');
  const mapping = form.getByRole('textbox', { name: 'Mapping', exact: true });
  await mapping.fill('{"name": body.');
  await form.getByRole('button', { name: 'Create webhook' }).click();
  await expect(form).toContainText('not valid JSONata');
  // What is wrong stands at the field, and what comes of it below, before it is saved.
  await expect(mapping).toHaveAttribute('aria-invalid', 'true');
  await mapping.fill('{"name": body.ref}');
  const preview = form.getByRole('region', { name: 'Preview' });
  await expect(preview.getByRole('region', { name: 'Inputs of the job' })).toHaveText(/"name": "refs\/heads\/main"/);
  await expect(mapping).not.toHaveAttribute('aria-invalid', 'true');
  const filter = form.getByRole('textbox', { name: 'Filter', exact: true });
  await filter.fill('headers."x-github-event" = "issues"');
  await expect(preview).toContainText('The filter drops it: no job starts');
  await filter.fill('headers."x-github-event" = "push"');
  await expect(preview).toContainText('A job starts');
  await preview.getByRole('textbox', { name: 'Example body' }).fill('{ "ref": ');
  await expect(preview).toContainText('Expected JSON.');
  await preview.getByRole('textbox', { name: 'Example body' }).fill('{ "ref": "v2" }');
  await expect(preview.getByRole('region', { name: 'Inputs of the job' })).toContainText('v2');
  await lookInBothThemes(page, 'webhook-preview');
  await filter.fill('');
  await form.getByRole('button', { name: 'Create webhook' }).click();

  const shown = page.getByRole('dialog', { name: 'Set up the sender' });
  await expect(shown.locator('pre').first()).toHaveText(`${master.url}/hooks/github-orders`);
  const [url = '', secret = ''] = await shown.locator('pre').allTextContents();
  expect(url).toBe(`${master.url}/hooks/github-orders`);
  await shown.getByRole('button', { name: 'Done' }).click();

  const send = (id: string, key: string) => {
    const body = JSON.stringify({ ref: 'refs/heads/main' });
    return fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-github-delivery': id,
        'x-hub-signature-256': `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
      },
      body,
    });
  };
  expect((await send('d-1', secret)).status).toBe(202);
  expect((await send('d-1', secret)).status).toBe(409);
  expect((await send('d-2', 'wrong')).status).toBe(401);

  await page.getByRole('button', { name: 'Deliveries of github-orders' }).click();
  const panel = page.getByRole('dialog', { name: 'Deliveries' });
  await expect(panel.getByRole('grid', { name: 'Deliveries' })).toContainText('Accepted');
  await expect(panel.getByRole('grid', { name: 'Deliveries' })).toContainText('Not verified');
  await panel.getByRole('row', { name: /Accepted/ }).click();
  await expect(panel.getByRole('row', { name: /Accepted/ })).toHaveAttribute('data-current', 'true');
  const detail = panel.getByRole('region', { name: 'Delivery', exact: true });
  await expect(detail).toContainText('refs/heads/main');
  await expect(detail).toContainText('x-hub-signature-256: [redacted]');
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await takePicture(page, 'webhooks', theme);
  }
  await detail.getByRole('button', { name: 'Replay' }).click();
  // What came of it is shown in its place.
  await expect(panel.getByText('Replayed by hand')).toBeVisible();

  // A webhook that is known is tried with what came to it last.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Edit github-orders' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit webhook' });
  await expect(edit.getByRole('combobox', { name: 'Try it with' })).toHaveValue(/Accepted/);
  await edit.getByRole('textbox', { name: 'Mapping', exact: true }).fill('{"name": deliveryId}');
  await expect(edit.getByRole('region', { name: 'Inputs of the job' })).toContainText('d-1');
});

test('a webhook is made by keys alone', async ({ page, master }) => {
  await publish(master, 'by-keys', greeter);
  await openPage(page, `${master.url}/workflows/by-keys`);
  await expect(page.getByRole('tab', { name: 'Webhooks' })).toBeVisible();
  await page.keyboard.press('w');
  await page.keyboard.press('h');
  await expect(page.getByRole('tab', { name: 'Webhooks' })).toBeFocused();
  const create = page.getByRole('button', { name: 'New webhook' }).first();
  for (let i = 0; i < 20 && !(await create.evaluate((one) => one === document.activeElement)); i++)
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'New webhook' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Description' }).focus();
  await page.keyboard.type('By keys');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Done' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(create).toBeFocused();
  await expect(page.getByRole('grid', { name: /Webhooks of/ })).toContainText('GitHub');
});
