import { expect, test } from '../support/test.ts';

test('a job links to the tracing tool, Grafana and the logs that the settings name, and to none without them', async ({
  page,
  master,
}) => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const answer = await master.event(
    'reserve-stock/dev',
    [{ order: 'L-1', sku: 'bolt-m6', count: 1, trouble: 'unknown' }],
    {
      traceparent: `00-${traceId}-b7ad6b7169203331-01`,
    },
  );
  const { jobId } = (await answer.json()) as { jobId: string };
  await page.goto(`${master.url}/jobs/${jobId}`);
  await expect(page.getByText(traceId)).toBeVisible();
  await expect(page.getByText('Open in', { exact: true })).toBeHidden();

  // As an admin sets them, in the console.
  await page.goto(`${master.url}/settings?tab=limits`);
  await page.getByRole('textbox', { name: 'Search settings' }).fill('trace link');
  await page.getByRole('button', { name: 'Edit Trace link' }).click();
  const dialog = page.getByRole('dialog', { name: 'Trace link' });
  await dialog.getByLabel('Trace link').fill('https://tempo.example/{trace}');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText(/\{trace\}, which is no placeholder/).first()).toBeVisible();
  await dialog.getByLabel('Trace link').fill('https://tempo.example/trace/{traceId}');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Updated trace link')).toBeVisible();
  await master.call('settings.update', {
    body: { grafanaLink: 'https://grafana.example/d/yardmaster-task-details?var-job={jobId}&from={from}&to={to}' },
  });

  await page.goto(`${master.url}/jobs/${jobId}`);
  await expect(page.getByRole('link', { name: 'Trace' })).toHaveAttribute(
    'href',
    `https://tempo.example/trace/${traceId}`,
  );
  await expect(page.getByRole('link', { name: 'Grafana' })).toHaveAttribute(
    'href',
    new RegExp(`var-job=${jobId}&from=\\d+`),
  );
  await expect(page.getByRole('link', { name: 'Logs', exact: true })).toHaveCount(1);
  await master.call('settings.update', { body: { traceLink: null, grafanaLink: null } });
});
