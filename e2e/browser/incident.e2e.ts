import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { violationsOf } from '../support/accessibility.ts';
import { picky } from '../support/workflow-definitions.ts';
import { expect, test } from '../support/test.ts';
import { forget, publish, startMaster, type TestMaster } from '../support/master.ts';

const seen = async (page: Page) => (await violationsOf(page)).map(({ id, html }) => `${id}: ${html.join(' ')}`);
const END = /^(COMPLETED|FAILED)$/;
async function run(master: TestMaster, input: object): Promise<string> {
  const { jobId } = await master.call('jobs.create', {
    body: { workflowId: 'incident-customs', environment: 'dev', inputs: [input] },
  });
  await expect.poll(async () => (await master.job(jobId)).status).toMatch(END);
  return jobId;
}

/** As a file that is dragged from a folder onto the page. */
async function dropFile(page: Page, base64: string, name: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ({ base64, name }) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], name));
      return data;
    },
    { base64, name },
  );
  await page.dispatchEvent('body', 'drop', { dataTransfer });
}

test('an operator sees what sets a failed run apart, takes it away as one file, and another console opens it with no master', async ({
  page,
  master,
}) => {
  await publish(master, 'incident-customs', picky);
  const well = await run(master, { order: 1, country: 'FR' });
  const failed = await run(master, { order: 2, country: 'DE' });

  // The last success offers itself, and one sentence says what is different.
  await page.goto(`${master.url}/jobs/${failed}?tab=compare`);
  const told = page.getByRole('note', { name: 'Main differences' });
  await expect(told).toContainText('check ended as FAILED instead of COMPLETED');
  await expect(told.getByRole('link', { name: new RegExp(well.slice(-12)) })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Input diff' })).toContainText('$.country');
  await expect(page.getByRole('region', { name: 'Only in this run' })).toContainText('no tariff for order');
  expect(await seen(page)).toEqual([]);

  await page.getByRole('button', { name: 'Bundle…' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download bundle' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`job-${failed}.yardmaster-incident`);
  const bytes = readFileSync(await download.path()).toString('base64');

  // Looked at here, it holds nothing back once the browser went back from it.
  await page.goto(`${master.url}/alerts?tab=rules`);
  await expect(page.getByRole('button', { name: 'New rule' })).toBeEnabled();
  await dropFile(page, bytes, 'notes.txt');
  await expect(page.getByText('Could not open notes.txt')).toBeVisible();
  await dropFile(page, bytes, download.suggestedFilename());
  await expect(page.getByText('Incident bundle, read-only')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'New rule' })).toBeEnabled();

  const other = await startMaster({ workers: 0 });
  try {
    // Nobody has signed in there: a bundle asks no master.
    const asked: string[] = [];
    await page.goto(`${other.url}/incident`);
    page.on(
      'request',
      (request) =>
        new URL(request.url()).pathname.startsWith('/api/v1/') && asked.push(`${request.method()} ${request.url()}`),
    );
    await expect(page.getByText('Drop an incident bundle here')).toBeVisible();
    await dropFile(page, bytes, download.suggestedFilename());
    await expect(page.getByText('Incident bundle, read-only')).toBeVisible();
    await expect(page.getByText(new URL(master.url).host)).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(failed);
    for (const name of ['Retry', 'Rerun…', 'Kill'])
      await expect(page.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true');

    // The failing task, and its log line.
    await page.getByRole('note').getByRole('button', { name: 'check' }).click();
    const panel = page.getByRole('dialog', { name: 'Task' });
    await expect(panel.getByRole('note', { name: 'Error' })).toContainText('no tariff for order 2');
    await panel.getByRole('tab', { name: 'Logs' }).click();
    await expect(panel.getByText('attempt 1 of check failed')).toBeVisible();
    await panel.getByRole('button', { name: 'Close task' }).click();
    await page.getByRole('tab', { name: 'Input/Output' }).click();
    await expect(page.getByRole('tree', { name: 'Input' })).toContainText('DE');
    expect(await seen(page)).toEqual([]);
    // The window asks who is signed in as it starts, and nothing more.
    expect(asked.filter((one) => !one.endsWith('/api/v1/session'))).toEqual([]);
  } finally {
    await other.stop();
    forget(other.data);
  }
});
