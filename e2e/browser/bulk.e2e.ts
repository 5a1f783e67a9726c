import type { TestMaster } from '../support/master.ts';
import { picky } from '../support/workflow-definitions.ts';
import { expect, test } from '../support/test.ts';
import { openPage } from '../support/open-page.ts';
import { publish } from '../support/master.ts';

test(
  'an operator retries all failed jobs of a workflow at once: looks first, confirms, reads the report',
  { tag: '@goal' },
  async ({ page, master }) => {
    await publish(master, 'tariffs', picky);
    for (let i = 0; i < 5; i++)
      expect((await master.event('tariffs/dev', [{ order: i, country: 'DE' }])).status).toBe(502);
    expect((await master.event('tariffs/dev', [{ order: 9, country: 'FR' }])).status).toBe(200);

    await page.goto(`${master.url}/jobs?workflow=tariffs`);
    await page.getByRole('checkbox', { name: 'Select the rows in view' }).click();
    await expect(page.getByRole('group', { name: 'Selected jobs' })).toContainText('6 selected');
    await page.getByRole('group', { name: 'Selected jobs' }).getByRole('button', { name: 'Retry' }).click();

    const operations = async () => (await master.call('operations.list')).totalItems;
    const before = await operations();

    // The dry run says what will happen, and to which nothing will.
    const question = page.getByRole('dialog', { name: 'Retry 5 jobs?' });
    await expect(question.getByText('Of 6 jobs selected')).toBeVisible();
    await expect(question.getByRole('list', { name: 'Skipped' })).toContainText('1 job: succeeded, nothing to retry');
    await question.getByRole('button', { name: 'Retry 5 jobs' }).click();

    // For some seconds nothing is sent: a slip of the hand costs nothing.
    await expect(page.getByText(/Not sent yet. Starts in \d s/)).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(page.getByText(/Not sent yet/).first()).toBeHidden();
    expect(await operations()).toBe(before);
    await page.getByRole('group', { name: 'Selected jobs' }).getByRole('button', { name: 'Retry' }).click();
    await question.getByRole('button', { name: 'Retry 5 jobs' }).click();
    // Another job fails before the operation starts: it was not counted, and is not touched.
    expect((await master.event('tariffs/dev', [{ order: 10, country: 'DE' }])).status).toBe(502);
    await page.getByRole('button', { name: 'Start now' }).click();

    const operation = page.getByRole('dialog', { name: 'Operation' });
    await expect(operation.getByText('5 of 6 jobs retried, 1 skipped')).toBeVisible();
    await expect(operation.getByRole('grid', { name: 'Results' }).getByText('Done', { exact: true })).toHaveCount(5);
    await operation.getByRole('button', { name: 'Close operation' }).click();
    await expect
      .poll(
        async () =>
          (await master.call('tasks.list', { params: { jobId: await firstFailed(master) } })).items[0]?.attempt,
      )
      .toBe(2);

    // It is kept: another day somebody asks what was done.
    await openPage(page, `${master.url}/operations`);
    await expect(page.getByRole('gridcell', { name: /5 of 6 jobs retried/ })).toBeVisible();
  },
);

test('the box in the head takes the rows in view; all that match are a second step, and stay those that were counted', async ({
  page,
  master,
}) => {
  await publish(master, 'customs', picky);
  const fail = (order: number) => master.event('customs/dev', [{ order, country: 'DE' }]);
  for (let i = 0; i < 40; i++) await fail(i);
  await page.goto(`${master.url}/jobs?workflow=customs`);
  const bar = page.getByRole('group', { name: 'Selected jobs' });
  const table = page.getByRole('grid', { name: 'Jobs' });
  await expect(table).toHaveAttribute('aria-rowcount', '41');
  await page.getByRole('checkbox', { name: 'Select the rows in view' }).click();
  const inView = Number(/^\d+/.exec(await bar.getByRole('status').innerText())?.[0]);
  expect(inView).toBeGreaterThan(3);
  expect(inView).toBeLessThan(40);
  await expect(page.getByText(`, ${inView} selected`)).toBeVisible();

  await bar.getByRole('button', { name: 'Select all 40 matching' }).click();
  await expect(bar).toContainText('All 40 selected');
  // The list moves on underneath: what was selected does not.
  for (let i = 40; i < 45; i++) await fail(i);
  await expect
    .poll(async () => (await master.call('jobs.list', { query: { workflowId: 'customs' } })).totalItems)
    .toBe(45);
  await expect(bar).toContainText('All 40 selected');
  await expect(page.getByText(/of 40, 40 selected/)).toBeVisible();
  await bar.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('dialog', { name: 'Retry 40 jobs?' })).toBeVisible();
  await page.keyboard.press('Escape');
  await bar.getByRole('button', { name: 'Clear selection' }).click();
  await expect(page.getByText(/of 45$/)).toBeVisible();
  await expect(table).toBeVisible();
});

test('jobs are selected, counted and retried by keys alone', async ({ page, master }) => {
  await publish(master, 'ferries', picky);
  for (let i = 0; i < 3; i++)
    expect((await master.event('ferries/dev', [{ order: i, country: 'DE' }])).status).toBe(502);
  expect((await master.event('ferries/dev', [{ order: 9, country: 'FR' }])).status).toBe(200);
  await page.goto(`${master.url}/jobs?workflow=ferries`);
  const table = page.getByRole('grid', { name: 'Jobs' });
  await expect(table).toHaveAttribute('aria-rowcount', '5');
  const bar = page.getByRole('group', { name: 'Selected jobs' });
  await table.focus();

  // The newest one has not failed: the key says so.
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(bar).toContainText('1 selected');
  await page.keyboard.press('r');
  await expect(page.getByText('Nothing was retried').first()).toBeVisible();

  await page.keyboard.press('ControlOrMeta+a');
  await expect(bar).toContainText('4 selected');
  await page.keyboard.press('Shift+R');
  const rerun = page.getByRole('dialog', { name: /^Rerun 3 jobs/ });
  const box = rerun.getByRole('checkbox', { name: /jobs without failures/ });
  await box.focus();
  await page.keyboard.press('Space');
  // What is counted anew takes the focus from nobody.
  await expect(page.getByRole('dialog', { name: /^Rerun 4 jobs/ })).toBeVisible();
  await expect(page.getByRole('checkbox', { name: /jobs without failures/ })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(table).toBeFocused();

  await page.keyboard.press('r');
  const retry = page.getByRole('dialog', { name: 'Retry 3 jobs?' });
  await expect(retry.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(retry.getByRole('button', { name: 'Retry 3 jobs' })).toBeFocused();
  await page.keyboard.press('Enter');
  // It starts by itself once the time to undo it is over.
  const operation = page.getByRole('dialog', { name: 'Operation' });
  await expect(operation.getByText('3 of 4 jobs retried, 1 skipped')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(operation).toBeHidden();
  await expect(table).toBeFocused();
});

const firstFailed = async (master: Pick<TestMaster, 'call'>): Promise<string> =>
  (await master.call('jobs.list', { query: { workflowId: 'tariffs', status: 'FAILED', size: 50 } })).items.at(-1)?.id ??
  '';
