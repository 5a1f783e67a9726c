import { greeter } from '../support/workflow-definitions.ts';
import { expect, test } from '../support/test.ts';
import { publish } from '../support/master.ts';

test('a query line finds jobs, keeps fields and chips in step, and is in the link', async ({ page, master }) => {
  await publish(master, 'query-greeter', greeter);
  for (const name of ['Ada', 'Bob', 'Adam']) await master.event('query-greeter/dev', [{ name }]);
  await page.goto(`${master.url}/jobs?workflow=query-greeter`);
  await expect(page.getByText('1–3 of 3')).toBeVisible();
  const line = page.getByRole('textbox', { name: 'Query' });
  await expect(line).toHaveValue('workflow:query-greeter');

  // By keys alone: fields, known paths and values are completed.
  await page.keyboard.press('/');
  await expect(line).toBeFocused();
  await page.keyboard.press('End');
  await line.pressSequentially(' sta');
  await expect(page.getByRole('option', { name: /^status:/ })).toBeVisible();
  await page.keyboard.press('Tab');
  await line.pressSequentially('comp');
  await page.keyboard.press('Tab');
  await expect(line).toHaveValue('workflow:query-greeter status:completed ');
  await line.pressSequentially('input.na');
  await expect(page.getByRole('option', { name: /^input\.name:/ })).toBeVisible();
  await page.keyboard.press('Tab');
  await line.pressSequentially('~ada');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await expect(page.getByText('1–2 of 2')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Completed', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByText('input.name:~ada', { exact: true })).toBeVisible();

  // A field changes the line, and the line a field.
  await page.getByRole('button', { name: 'Completed', exact: true }).click();
  await expect(line).toHaveValue('workflow:query-greeter input.name:~ada');
  await line.fill('workflow:query-greeter -input.name:Ada attempts:1');
  await line.press('Enter');
  await expect(page.getByText('1–2 of 2')).toBeVisible();

  // The link opens the same, and back leads to the query before.
  const link = page.url();
  await page.goBack();
  await expect(line).toHaveValue('workflow:query-greeter input.name:~ada');
  await page.goto(link);
  await expect(line).toHaveValue('workflow:query-greeter -input.name:Ada attempts:1');
  await expect(page.getByText('1–2 of 2')).toBeVisible();
  await page.getByRole('button', { name: 'Remove filter -input.name:Ada' }).click();
  await expect(page.getByText('1–3 of 3')).toBeVisible();
  await expect(line).toHaveValue('workflow:query-greeter attempts:1');

  // What matches later comes by itself.
  await master.event('query-greeter/dev', [{ name: 'Eve' }]);
  await expect(page.getByText('1–4 of 4')).toBeVisible();
});

test('what is wrong in a query is marked at its place, and changes nothing', async ({ page, master }) => {
  await publish(master, 'query-wrong', greeter);
  await master.event('query-wrong/dev', [{ name: 'Ada' }]);
  await page.goto(`${master.url}/jobs?query=${encodeURIComponent('workflow:query-wrong duration:<1d')}`);
  await expect(page.getByText('1–1 of 1')).toBeVisible();
  const line = page.getByRole('textbox', { name: 'Query' });
  await line.fill('workflow:query-wrong duration:>5');
  await line.press('Enter');
  const error = page.getByRole('alert').filter({ hasText: 'duration needs a duration' });
  await expect(error).toBeVisible();
  await expect(error.locator('mark')).toHaveText('5');
  await expect(line).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText('1–1 of 1')).toBeVisible();
  await line.fill('workflow:query-wrong duration:>5d');
  await expect(error).toBeHidden();
  await line.press('Enter');
  await expect(page.getByText('No jobs match these filters')).toBeVisible();
});
