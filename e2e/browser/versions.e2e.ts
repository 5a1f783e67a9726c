import { violationsOf } from '../support/accessibility.ts';
import { publish } from '../support/master.ts';
import { expect, test } from '../support/test.ts';
import { line, node } from '../support/workflow-definitions.ts';

const code = (rate: string) =>
  line(
    'Tariff',
    node('price', 'code', {
      source: `const { weight } = input;\n// By weight.\nconst rate = ${rate};\nconst total = weight * rate;\nreturn { total };`,
    }),
  );

/** From a change of code to production: what changed by line, a name for the version, and one environment after the other. */
test('read what changed in code, tag the version and promote it to staging', async ({ page, master }) => {
  await publish(master, 'tariff', code('2'));
  const [first] = (await master.call('commits.list', { params: { id: 'tariff' } })).items;
  const second = await master.call('commits.create', {
    params: { id: 'tariff' },
    json: JSON.stringify({ definition: code('3'), message: 'Raise the rate', parent: first?.hash }),
  });
  await page.goto(`${master.url}/workflows/tariff?tab=versions`);
  const history = page.getByRole('grid');
  await expect(history.getByText('v2', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: `Actions for version v2 (${second.hash.slice(0, 8)})` }).click();
  await page.getByRole('menuitem', { name: 'Tags…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'New tag' }).fill('beef');
  await expect(dialog.getByText(/not the form of a commit hash/)).toBeVisible();
  await dialog.getByRole('textbox', { name: 'New tag' }).fill('rate-3');
  await dialog.getByRole('button', { name: 'Add tag' }).click();
  await expect(history.getByText('rate-3')).toBeVisible();

  await page.goto(`${master.url}/workflows/tariff?tab=versions&from=${first?.hash}&to=${second.hash}&view=changes`);
  const lines = page.getByRole('group', { name: 'config.source' });
  await expect(lines.locator('[data-kind="removed"]')).toHaveText(/const rate = 2;/);
  await expect(lines.locator('[data-kind="added"]')).toHaveText(/const rate = 3;/);
  await expect(lines.locator('[data-kind="same"]')).toHaveCount(4);
  expect(await violationsOf(page)).toEqual([]);

  await page.goto(`${master.url}/workflows/tariff?tab=publish`);
  await page.getByRole('button', { name: 'Promote to staging' }).click();
  await dialog.getByRole('button', { name: 'Publish to staging' }).click();
  await expect(dialog).toBeHidden();
  await expect
    .poll(async () => (await master.call('workflows.environments', { params: { id: 'tariff' } })).items)
    .toMatchObject([{ hash: first?.hash }, { hash: first?.hash, number: 1 }, { hash: null }]);
});
