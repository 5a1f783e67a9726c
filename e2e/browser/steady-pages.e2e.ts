import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';

test.use({ group: 'steady-pages' });

/** Answers to `path` wait until the function that comes back is called. */
async function hold(page: Page, path: string): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route(`**${path}`, async (route) => {
    await gate.promise;
    await route.continue();
  });
  return () => gate.resolve();
}

test.afterEach(({ page }) => page.unrouteAll({ behavior: 'wait' }));

test('nothing on the overview moves when the proposal for retention comes', async ({ page, master }) => {
  const release = await hold(page, '/api/v1/settings');
  await page.goto(master.url);
  const published = page.getByRole('heading', { name: 'Recently published' });
  await expect(published).toBeVisible();
  const before = await published.boundingBox();
  release();
  await expect(page.getByRole('heading', { name: 'Retention' })).toBeVisible();
  expect(await published.boundingBox()).toEqual(before);
});

test('the header of a workflow keeps its height when its data comes', async ({ page, master }) => {
  for (const id of ['triage', 'shout']) {
    const release = await hold(page, `/api/v1/workflows/${id}`);
    await page.goto(`${master.url}/workflows/${id}?tab=publish`);
    const tabs = page.getByRole('tablist');
    await expect(tabs).toBeVisible();
    const before = await tabs.boundingBox();
    release();
    await expect(page.getByRole('button', { name: 'Archive' })).toBeVisible();
    expect(await tabs.boundingBox()).toEqual(before);
  }
});
