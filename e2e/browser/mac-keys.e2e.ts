import { pathTo } from '../../src/lib/api-client.ts';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';

const canvas = (page: Page): Locator => page.getByRole('application', { name: 'Canvas' });
const node = (page: Page, name: string): Locator => canvas(page).getByRole('group', { name: new RegExp(`^${name},`) });

test('on a Mac, Command does what Control does elsewhere: palette, duplicate, undo, run and save', async ({
  systemBrowser,
  master,
}) => {
  const context = await systemBrowser.newContext({ reducedMotion: 'reduce' });
  try {
    await context.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, 'platform', { configurable: true, get: () => 'MacIntel' }),
    );
    const page = await context.newPage();
    await page.request.post(master.url + pathTo('session.signIn'), { data: { token: master.token } });
    const id = 'by-command';
    const definition = {
      schemaVersion: 1,
      name: id,
      response: 'list',
      nodes: [
        { id: 'input', type: 'input' },
        { id: 'double', type: 'transform', config: { expression: 'n * 2' } },
        { id: 'output', type: 'output' },
      ],
      edges: [
        { from: 'input', to: 'double' },
        { from: 'double', to: 'output' },
      ],
      output: 'output',
    };
    await master.call('workflows.create', { body: { id, name: id } });
    await master.call('commits.create', {
      params: { id },
      json: JSON.stringify({ definition, message: 'Doubles', parent: null }),
    });

    await page.goto(`${master.url}/jobs`);
    await expect(page.getByText('⌘ K')).toBeVisible();
    await page.keyboard.press('Meta+k');
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    await palette.getByRole('combobox').waitFor();
    await page.keyboard.press('Escape');
    await expect(palette).toHaveCount(0);
    await page.goto(`${master.url}/workflows/${id}`);
    await canvas(page).waitFor();
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog')).toContainText('⌘');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);

    await node(page, 'double').click();
    await page.keyboard.press('Meta+d');
    await expect(canvas(page).getByRole('group', { name: /, transform/ })).toHaveCount(2);
    await page.keyboard.press('Meta+z');
    await expect(canvas(page).getByRole('group', { name: /, transform/ })).toHaveCount(1);
    await page.keyboard.press('Meta+Shift+z');
    await expect(canvas(page).getByRole('group', { name: /, transform/ })).toHaveCount(2);
    await page.keyboard.press('Meta+z');
    await expect(canvas(page).getByRole('group', { name: /, transform/ })).toHaveCount(1);

    await page.keyboard.press('Meta+Enter');
    await expect(page.getByText('Completed').or(page.getByText('Failed')).first()).toBeVisible();
    await node(page, 'double').click();
    await page.keyboard.press('Meta+d');
    await expect(canvas(page).getByRole('group', { name: /, transform/ })).toHaveCount(2);
    await page.keyboard.press('Meta+s');
    await page.getByLabel('Version message').fill('By Command');
    await page.keyboard.press('Meta+Enter');
    await expect(page.getByText(/Saved version/)).toBeVisible();
  } finally {
    await context.close();
  }
});
