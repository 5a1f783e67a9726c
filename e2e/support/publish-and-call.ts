import { pathTo } from '../../src/lib/api-client.ts';
import { expect, type Page } from '@playwright/test';
import { greeter } from './workflow-definitions.ts';

/** The main goal, the same in the browser and in the desktop window: from a new workflow to its job, all by hand. */
export async function publishAndCall(page: Page, masterUrl: string): Promise<void> {
  await page.getByRole('link', { name: 'Workflows' }).first().click();
  await page.getByRole('button', { name: 'New workflow' }).first().click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Welcome');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible();

  await page.getByText('JSON', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Definition of welcome' }).click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(JSON.stringify(greeter, null, 2));
  await page.getByRole('button', { name: /^Save version/ }).click();
  await page.getByLabel('Version message').fill('Greet by name');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(/Saved version/)).toBeVisible();

  await page.getByRole('button', { name: 'Publish…', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Description').fill('First try');
  await page.getByRole('button', { name: 'Publish to dev', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  // It asked to be published.
  await expect(page.getByText(/Saved version/)).toBeHidden();

  await page.getByRole('tab', { name: 'Try it' }).click();
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByRole('textbox', { name: 'API key' })).toHaveValue(/^ym_/);
  await page.getByRole('textbox', { name: 'Input' }).click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText('[{ "name": "Ada" }]');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('200 OK')).toBeVisible();
  await expect(page.getByText('Hello Ada').first()).toBeVisible();

  // The same endpoint from outside, with the key that was made.
  const key = await page.getByRole('textbox', { name: 'API key' }).inputValue();
  const answer = await fetch(
    masterUrl + pathTo('events.send', { params: { workflowId: 'welcome', environment: 'dev' } }),
    {
      method: 'POST',
      headers: { 'api-key': key, 'content-type': 'application/json' },
      body: '[{"name":"Grace"},{"name":"Alan"}]',
    },
  );
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual([{ greeting: 'Hello Grace' }, { greeting: 'Hello Alan' }]);
  const jobId = answer.headers.get('x-job-id') ?? '';

  await page.getByRole('link', { name: 'Jobs' }).first().click();
  await page
    .getByRole('link', { name: new RegExp(jobId.slice(-8)) })
    .first()
    .click();
  await expect(page.getByText('Completed').first()).toBeVisible();
  await page.getByRole('tab', { name: 'Tasks' }).click();
  await expect(page.getByText('greet').first()).toBeVisible();
  await page.getByRole('tab', { name: 'Logs' }).click();
  await expect(page.getByText('greeted somebody').first()).toBeVisible();
  await page.getByRole('tab', { name: 'Metrics' }).click();
  await expect(page.locator('canvas').first()).toBeVisible();
}
