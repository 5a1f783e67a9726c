import { TEMPLATES } from '../../src/lib/workflow-templates/index.ts';
import { violationsOf } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';

const { sample, tests } = TEMPLATES['approve-amount'];

test('a workflow is made from a template by keyboard: as a draft that runs with its sample, with its test cases', async ({
  page,
  master,
}) => {
  await page.goto(`${master.url}/workflows`);
  await page.getByRole('button', { name: 'New workflow' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New workflow' });
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await dialog.getByRole('textbox', { name: 'Search templates' }).fill('person');
  await expect(dialog.getByRole('radio')).toHaveCount(1);
  await dialog.getByRole('textbox', { name: 'Search templates' }).press('ArrowDown');
  await expect(dialog.getByRole('radio', { name: 'Approve large amounts' })).toBeFocused();
  await expect(dialog.getByRole('radio', { name: 'Approve large amounts' })).toBeChecked();
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Approve large amounts');
  expect((await violationsOf(page)).filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Approvals by template');
  await dialog.getByRole('textbox', { name: 'Name' }).press('Enter');

  await expect(page.getByRole('heading', { name: 'Approvals by template' })).toBeVisible();
  await expect(page.getByRole('group', { name: /Ask for approval/ })).toBeVisible();
  expect(
    (await master.call('workflowTests.get', { params: { id: 'approvals-by-template' } })).cases.map(({ name }) => name),
  ).toEqual(tests.map(({ name }) => name));
  await page.getByRole('button', { name: 'Example input' }).click();
  await expect(
    page.getByRole('dialog', { name: 'Example input' }).getByText(`"${sample['purpose'] as string}"`),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Run draft' }).click();
  // It does not wait in a draft: a stand-in approves.
  await expect(page.locator('.react-flow__node[data-id="decided"]').getByText(/"approved"/)).toBeVisible();
});

test('the palette leads to a template, and a link to one chooses it', async ({ page, master }) => {
  await page.goto(`${master.url}/jobs`);
  await page.getByRole('heading', { name: 'Jobs' }).waitFor();
  await page.keyboard.press('ControlOrMeta+K');
  await page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox').fill('wait for a payment');
  await page.getByRole('option', { name: 'Template: Wait for a payment' }).click();
  const dialog = page.getByRole('dialog', { name: 'New workflow' });
  await expect(dialog.getByRole('radio', { name: 'Wait for a payment' })).toBeChecked();
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Wait for a payment');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(`${master.url}/workflows`);
});
