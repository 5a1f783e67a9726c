import { publish } from '../support/master.ts';
import { expect, test } from '../support/test.ts';
import { line, node } from '../support/workflow-definitions.ts';

const report = line('Report', node('sum', 'transform', { expression: '{ "day": day }' }));

test('a workflow is started by a schedule, which shows its due times before it is saved, and what became of them', async ({
  page,
  master,
}) => {
  await publish(master, 'report', report);
  await page.goto(`${master.url}/workflows/report?tab=schedules`);
  await expect(page.getByRole('button', { name: 'New schedule' }).first()).toBeEnabled();
  await page.keyboard.press('n');
  const form = page.getByRole('dialog', { name: 'New schedule' });
  const cron = form.getByRole('textbox', { name: 'Cron expression' });
  await cron.fill('0 0 30 2 *');
  await expect(form.getByText('is never due: no month has such a day')).toBeVisible();
  await cron.fill('0 7 * * MON');
  await expect(form.getByRole('region', { name: 'Next runs' }).getByRole('listitem')).toHaveCount(10);
  await form.getByText('Expression over the due time').click();
  await form.getByRole('textbox', { name: 'Expression', exact: true }).fill('{"day": $substring(dueAt, 0, 10)}');
  await form.getByRole('button', { name: 'Create schedule' }).click();

  const panel = page.getByRole('dialog', { name: 'Schedule', exact: true });
  await panel.getByRole('button', { name: 'Run now' }).click();
  await expect(panel.getByRole('grid', { name: 'History of the schedule' }).getByText('manual')).toBeVisible();
  const [job] = (await master.call('jobs.list', { query: { workflowId: 'report' } })).items;
  await expect
    .poll(async () => (await master.call('jobs.get', { params: { jobId: job?.id ?? '' } })).status)
    .toBe('COMPLETED');
  expect(await master.call('jobs.output', { params: { jobId: job?.id ?? '' } })).toMatchObject({
    output: [{ day: job?.trigger.dueAt?.slice(0, 10) }],
  });

  await panel.getByRole('tab', { name: 'Calendar' }).click();
  await expect(panel.getByRole('group', { name: 'Calendar' }).getByText('1 Started')).toBeVisible();
  await panel.getByRole('button', { name: 'Pause' }).click();
  await expect(panel.getByRole('button', { name: 'Resume' })).toBeVisible();
});

test('a form that cannot be sent leads to the field that says why', async ({ page, master }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${master.url}/schedules`);
  await page.getByRole('button', { name: 'New schedule' }).first().click();
  const form = page.getByRole('dialog', { name: 'New schedule' });
  await form.getByRole('button', { name: 'Create schedule' }).click();
  const workflow = form.getByRole('combobox', { name: 'Workflow' });
  await expect(workflow).toBeFocused();
  const isOnTop = (field: Element) => {
    const { x, y, width, height } = field.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2) === field;
  };
  await expect.poll(() => workflow.evaluate(isOnTop)).toBe(true);
});

test('a time zone that only the master knows leaves the due times in sight', async ({ page, master }) => {
  await publish(master, 'far-away', report);
  const schedule = await master.call('schedules.create', {
    body: { workflowId: 'far-away', environment: 'dev', cron: '0 7 * * MON', inputs: [{ day: 'x' }] },
  });
  await page.route(`**/api/v1/schedules/${schedule.id}`, (route) =>
    route.fulfill({ json: { ...schedule, timeZone: 'Mars/Olympus' } }),
  );
  await page.route('**/api/v1/schedules/preview**', (route) =>
    route.fulfill({ json: { times: ['2030-01-07T07:00:00.000Z'] } }),
  );
  await page.goto(`${master.url}/schedules?schedule=${schedule.id}`);
  await page.getByRole('dialog', { name: 'Schedule', exact: true }).getByRole('button', { name: 'Edit' }).click();
  const runs = page.getByRole('dialog', { name: 'Edit schedule' }).getByRole('region', { name: 'Next runs' });
  await expect(runs.getByText('does not know the time zone Mars/Olympus')).toBeVisible();
  await expect(runs.getByRole('listitem')).toHaveText(/2030-01-07/);
  await page.unrouteAll();
});

test('what was not started is backfilled by keys alone, once it is counted', async ({ page, master }) => {
  await publish(master, 'reminder', report);
  const { id } = await master.call('schedules.create', {
    body: { workflowId: 'reminder', environment: 'dev', cron: '@daily', inputs: [{ day: 'x' }] },
  });
  await page.goto(`${master.url}/schedules?schedule=${id}`);
  const panel = page.getByRole('dialog', { name: 'Schedule', exact: true });
  await panel.getByRole('button', { name: 'Backfill' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Backfill' });
  await expect(dialog.getByLabel('From (your time)')).toBeFocused();
  await dialog.getByLabel('From (your time)').fill('2026-01-01T00:00:00');
  const to = dialog.getByLabel('To (your time)');
  await to.fill('2025-12-31T12:00:00');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Must be later than “From”.')).toBeVisible();
  await to.fill('2026-01-04T12:00:00');
  await expect(dialog.getByText('Must be later than “From”.')).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('status')).toHaveText(/^[34] due times have no job\.$/);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  const grid = panel.getByRole('grid', { name: 'History of the schedule' });
  await expect(grid.getByText('backfill').first()).toBeVisible();
  expect((await master.call('operations.list')).items[0]).toMatchObject({ kind: 'backfill' });
});
