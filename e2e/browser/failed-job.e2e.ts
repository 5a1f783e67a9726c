import { line, node } from '../support/workflow-definitions.ts';
import { expect, test } from '../support/test.ts';
import { openPage } from '../support/open-page.ts';
import { publish } from '../support/master.ts';

test(
  'an operator finds a failed workflow, understands it and retries it',
  { tag: '@goal' },
  async ({ page, master }) => {
    const answer = await master.event('reserve-stock/dev', [
      { order: 'A-1', sku: 'nut-m3', count: 1, trouble: 'unknown' },
    ]);
    expect(answer.status).toBe(502);
    const { jobId } = (await answer.json()) as { jobId: string };

    await page.goto(`${master.url}/`);
    await expect(page.getByText('NON_RETRYABLE').first()).toBeVisible();
    await openPage(page, `${master.url}/jobs?status=%5B%22FAILED%22%5D`);
    // The row says why.
    await expect(
      page
        .getByRole('grid')
        .getByText(/no article "nut-m3" in the catalogue/)
        .first(),
    ).toBeVisible();
    await page
      .getByRole('link', { name: new RegExp(jobId.slice(-8)) })
      .first()
      .click();
    await expect(page.getByText('Failed', { exact: true }).first()).toBeVisible();
    await page.getByRole('button', { name: 'Reserve it here', exact: true }).first().click();
    const panel = page.getByRole('dialog', { name: 'Task' });
    await expect(panel.getByText(/no article "nut-m3" in the catalogue/).first()).toBeVisible();
    await panel.getByRole('tab', { name: 'Logs' }).click();
    await expect(panel.getByText('the catalogue has no such article').first()).toBeVisible();
    await panel.getByRole('button', { name: 'Close task' }).click();

    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('button', { name: 'Retry 1 job' }).click();
    await expect(page.getByText('Retried 1 job')).toBeVisible();
    // The cause is not mended, so it fails again, as a second attempt with a record of the first.
    await expect
      .poll(async () => (await master.tasks(jobId)).find((task) => task.node === 'reserve'))
      .toMatchObject({ state: 'FAILED', attempt: 2, retryEntries: [{ attempt: 1, code: 'NON_RETRYABLE' }] });

    // What failed is mended in the builder, where its node is the one that is open, also after a reload.
    await page.getByRole('button', { name: 'Reserve it here', exact: true }).first().click();
    await panel.getByRole('link', { name: 'Open node in builder' }).click();
    const node = page.locator('.react-flow__node.selected[data-id="reserve"]');
    await expect(node).toBeInViewport();
    await expect(page).toHaveURL(/\/workflows\/reserve-stock\?(.*&)?node=reserve/);
    await page.reload();
    await expect(node).toBeInViewport();
  },
);

test('a failure that passes mends itself by its retries', async ({ page, master }) => {
  const call = master.event('reserve-stock/dev', [{ order: 'A-2', sku: 'nut-m4', count: 2, trouble: 'busy' }]);
  await page.goto(`${master.url}/jobs`);
  await expect(
    page
      .getByText('Partial failure')
      .or(page.getByText('Failed', { exact: true }))
      .first(),
  ).toBeVisible();
  const answer = await call;
  expect([answer.status, await answer.json()]).toEqual([200, [expect.objectContaining({ reserved: 2, attempts: 3 })]]);
});

test('a failed job leads to those that failed like it, with the status in the head', async ({ page, master }) => {
  await publish(
    master,
    'ask-pay',
    line(
      'Ask pay',
      node(
        'ask',
        'code',
        { source: "throw new Error('GET https://pay.example/ answered ' + input.answer);" },
        { retries: 0 },
      ),
    ),
  );
  const ask = async (answer: string) =>
    ((await (await master.event('ask-pay/dev', [{ answer }])).json()) as { jobId: string }).jobId;
  const failures = page.getByRole('grid', { name: 'Failures' });
  const jobId = await ask('503 Service Unavailable');
  await page.goto(`${master.url}/jobs/${jobId}`);
  await expect(page.getByRole('link', { name: 'No other job failed with this error' })).toBeVisible();
  for (const answer of ['503 Service Unavailable', '503 Service Unavailable', '404 Not Found']) await ask(answer);
  await page.reload();
  await page.getByRole('note').getByRole('link', { name: '2 other jobs failed with this error' }).click();
  const failure = page.getByRole('dialog', { name: 'Failure' });
  await expect(failure.getByRole('heading', { level: 2 })).toHaveText(
    'GET https://pay.example/ answered 503 Service Unavailable',
  );
  await failure.getByRole('button', { name: 'Close failure' }).click();
  await expect(failures.getByText(/ answered /)).toHaveCount(1);
  await openPage(page, `${master.url}/failures?workflow=ask-pay`);
  await expect(failures.getByText(/ answered (503 Service Unavailable|404 Not Found)/)).toHaveCount(2);
  await expect(failures.getByRole('img', { name: /^3 failures since/ })).toBeVisible();
  // From the task as well.
  await openPage(page, `${master.url}/jobs/${jobId}`);
  await page.getByRole('button', { name: 'ask', exact: true }).first().click();
  await expect(
    page.getByRole('dialog', { name: 'Task' }).getByRole('link', { name: '2 other jobs failed with this error' }),
  ).toBeVisible();
});

test('a failure whose only job was run again with success stays open, says so, and is resolved from there', async ({
  page,
  master,
}) => {
  const broken = await publish(
    master,
    'mend-me',
    line(
      'Mend me',
      node('check', 'code', { source: "throw new Error('the table of rates is away');" }, { retries: 0 }),
    ),
  );
  const { jobId } = (await (await master.event('mend-me/dev', [{}])).json()) as { jobId: string };
  const fixed = await publish(
    master,
    'mend-me',
    line('Mend me', node('check', 'transform', { expression: '1' })),
    broken,
  );
  const { jobId: again } = await master.call('jobs.rerun', { params: { jobId }, body: { commit: fixed } });
  await expect.poll(async () => (await master.job(again)).status).toBe('COMPLETED');

  await page.goto(`${master.url}/jobs/${jobId}`);
  await expect(page.getByRole('link', { name: 'A rerun succeeded' })).toHaveAttribute('href', `/jobs/${again}`);
  await openPage(page, `${master.url}/failures?workflow=mend-me`);
  const row = page.getByRole('row', { name: /the table of rates is away/ });
  await expect(row.getByText('Recovered')).toBeVisible();
  await row.getByText('the table of rates is away').click();
  const failure = page.getByRole('dialog', { name: 'Failure' });
  await expect(failure.getByText('Its job has since succeeded.')).toBeVisible();
  await expect(failure.getByText('Rerun succeeded:').getByRole('link')).toHaveAttribute('href', `/jobs/${again}`);
  await failure.getByRole('button', { name: 'Resolve' }).click();
  await failure.getByRole('button', { name: 'Close failure' }).click();
  await expect(page.getByRole('grid', { name: 'Failures' }).getByText('the table of rates is away')).toHaveCount(0);
});
