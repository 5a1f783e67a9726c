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

test('what is typed as soon as the palette shows is in it, and the focus goes back to where it was', async ({
  page,
  master,
}) => {
  await page.goto(`${master.url}/jobs`);
  const link = page.getByRole('link', { name: 'Jobs', exact: true });
  await link.focus();
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  // A key may come as soon as the field is there: a moment later is too late for the focus.
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      const field = document.querySelector('[role="dialog"] [role="combobox"]');
      if (field === null) return;
      observer.disconnect();
      document.body.dataset['hadFocus'] = String(document.activeElement === field);
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.keyboard.press('ControlOrMeta+K');
  await expect(page.locator('body')).toHaveAttribute('data-had-focus', 'true');
  await page.keyboard.type('dead letters');
  await expect(palette.getByRole('combobox')).toHaveValue('dead letters');
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
  await expect(link).toBeFocused();
});
