import { expect, test } from '../support/test.ts';

test('a new workflow begins from the palette, on any page, by keyboard', async ({ page, master }) => {
  await page.goto(`${master.url}/jobs`);
  await expect(page.getByRole('heading', { name: 'Jobs' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+K');
  await page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox').fill('new work');
  await expect(page.getByRole('option', { name: 'New workflow' })).toBeVisible();
  await expect(page.getByRole('option', { name: 'New workflow' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'New workflow' })).toBeVisible();
});
