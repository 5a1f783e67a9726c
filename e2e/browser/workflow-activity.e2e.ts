import { violationsOf } from '../support/accessibility.ts';
import { publish } from '../support/master.ts';
import { expect, test } from '../support/test.ts';
import { picky } from '../support/workflow-definitions.ts';

/** How a workflow is doing, from the list of all to one run that failed. */
test('see in the list how a workflow is doing, then its runs and metrics', async ({ page, master }) => {
  await publish(master, 'activity-tariffs', picky);
  for (const country of ['FR', 'FR', 'DE', 'FR']) await master.event('activity-tariffs/dev', [{ order: 7, country }]);
  await page.goto(`${master.url}/workflows?q=activity-tariffs`);
  const row = page.getByRole('grid', { name: 'Workflows' }).getByRole('row').filter({ hasText: 'activity-tariffs' });
  await expect(row.getByRole('img', { name: '75% of 4 runs succeeded' })).toBeVisible();
  await expect(row.getByText('Completed')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);

  await page.goto(`${master.url}/workflows/activity-tariffs`);
  await page.getByRole('tab', { name: 'Metrics' }).click();
  await expect(page.getByText('75%').first()).toBeVisible();
  await expect(page.locator('canvas')).toHaveCount(3);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('tab', { name: 'Runs' }).click();
  const runs = page.getByRole('grid', { name: 'Runs' });
  await expect(runs.getByRole('row')).toHaveCount(5);
  await runs.getByText('no tariff for order 7').click();
  await expect(page).toHaveURL(/\/jobs\//);
  await expect(page.getByRole('button', { name: 'Debug in builder' })).toBeVisible();
});
