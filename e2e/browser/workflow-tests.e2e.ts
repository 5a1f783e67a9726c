import type { Page } from '@playwright/test';
import { publish } from '../support/master.ts';
import { openPage } from '../support/open-page.ts';
import { lookInBothThemes } from '../support/both-themes.ts';
import { takePicture } from '../support/screenshots.ts';
import { expect, test } from '../support/test.ts';
import { greeter, line, node } from '../support/workflow-definitions.ts';

/** Nothing lies over the page. */
async function clear(page: Page): Promise<void> {
  const messages = page.getByRole('button', { name: 'Close message' });
  for (let left = await messages.count(); left > 0; left = await messages.count()) {
    // One that has closed by itself meanwhile is not there to be clicked.
    await messages
      .first()
      .click({ timeout: 2000 })
      .catch(() => {});
    await expect.poll(() => messages.count()).toBeLessThan(left);
  }
  await page.mouse.move(700, 20);
}

test('a job becomes a test case, which holds a version back until an administrator publishes it all the same', async ({
  page,
  master,
}) => {
  const hash = await publish(master, 'tested', greeter);
  const { jobId } = await master.call('jobs.create', {
    body: { workflowId: 'tested', environment: 'dev', inputs: [{ name: 'Ada' }] },
  });
  await expect.poll(async () => (await master.call('jobs.get', { params: { jobId } })).finishedAt).not.toBeNull();
  await openPage(page, `${master.url}/workflows/tested?tab=tests`);
  await expect(page.getByText('Open a finished job of this workflow')).toBeVisible();

  await openPage(page, `${master.url}/jobs/${jobId}`);
  await page.getByRole('button', { name: 'Save as test case' }).click();
  await takePicture(page, 'workflow-test-save', 'light');
  await page.getByRole('dialog', { name: 'Save as test case' }).getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Show tests' }).click();

  const cases = page.getByRole('grid', { name: 'Test cases of tested' });
  await expect(cases).toContainText('{"output":{"greeting":"Hello Ada"}}');
  const run = page.getByRole('button', { name: 'Run tests' });
  await run.click();
  await expect(page.getByText(`1 test case passed on ${hash.slice(0, 8)}`)).toBeVisible();
  await expect(cases).toContainText('Passed');

  await page.getByRole('button', { name: `Rename Job ${jobId}` }).click();
  const rename = page.getByRole('dialog', { name: 'Rename test case' });
  await rename.getByRole('textbox', { name: 'Name' }).fill('greets Ada');
  await rename.getByRole('button', { name: 'Rename' }).click();
  await expect(cases).toContainText('Not run');

  await page.getByRole('button', { name: 'Edit greets Ada' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit test case' });
  const json = edit.getByRole('textbox', { name: 'Test case as JSON' });
  const save = edit.getByRole('button', { name: 'Save' });
  const write = async (text: string) => {
    await json.click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Delete');
    // No text is no JSON: the form has taken up that it is empty.
    await expect(save).toBeDisabled();
    await page.keyboard.insertText(text);
  };
  await write('{ "input": { "name": "Ada" }, "expect": {} }');
  await save.click();
  await expect(edit).toContainText('expected exactly one of output, schema, expression and failure');
  await write('{ "input": { "name": "Ada" }, "expect": { "output": { "greeting": "Goodbye Ada" } } }');
  await save.click();
  await expect(cases).toContainText('Goodbye Ada');
  await run.click();
  await expect(page.getByText('/greeting: expected "Goodbye Ada", got "Hello Ada"')).toBeVisible();
  await expect(cases).toContainText('Failed');
  await clear(page);
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await takePicture(page, 'workflow-tests', theme);
  }

  await master.call('settings.update', { body: { requireTests: ['staging'] } });
  try {
    await openPage(page, `${master.url}/workflows/tested?tab=publish&environment=staging`);
    const dialog = page.getByRole('dialog', { name: 'Publish tested to staging' });
    await dialog.getByRole('button', { name: 'Publish to staging' }).click();
    await expect(dialog).toContainText('1 test case fails. staging requires them to pass.');
    await expect(dialog).toContainText('/greeting: expected "Goodbye Ada", got "Hello Ada"');
    await expect(dialog.getByRole('link', { name: 'Show tests' })).toHaveAttribute('href', /tab=tests/);
    await takePicture(page, 'workflow-tests-failed', 'light');
    await dialog.getByRole('button', { name: 'Publish anyway' }).click();
    const sure = page.getByRole('dialog', { name: `Publish v1 (${hash.slice(0, 8)}) although tests fail?` });
    await sure.getByRole('button', { name: 'Publish anyway' }).click();
    await expect(page.getByText(`Published v1 (${hash.slice(0, 8)}) to staging`)).toBeVisible();
    await expect(dialog).toBeHidden();

    // The way back is held as well: first to a version whose cases pass, then to the one that fails.
    const definition = { ...greeter, name: 'Goodbye' };
    const { hash: second } = await master.call('commits.create', {
      params: { id: 'tested' },
      json: JSON.stringify({ definition, message: 'Another', parent: hash }),
    });
    await master.call('workflows.publish', {
      params: { id: 'tested', environment: 'staging' },
      body: { hash: second, override: true },
    });
    await openPage(page, `${master.url}/workflows/tested?tab=publish`);
    await page
      .getByRole('button', { name: `Roll back to v1 (${hash.slice(0, 8)})` })
      .first()
      .click();
    const back = page.getByRole('dialog', { name: `Roll back to v1 (${hash.slice(0, 8)}) in staging?` });
    await back.getByRole('button', { name: `Publish v1 (${hash.slice(0, 8)}) to staging` }).click();
    await expect(back).toContainText('/greeting: expected "Goodbye Ada", got "Hello Ada"');
    await lookInBothThemes(page, 'roll-back-tests-failed');
    await back.getByRole('button', { name: 'Publish anyway' }).press('Enter');
    await expect(sure.getByRole('button', { name: 'Publish anyway' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByText(`Published v1 (${hash.slice(0, 8)}) to staging`)).toBeVisible();
    await expect(back).toBeHidden();
  } finally {
    await master.call('settings.update', { body: { requireTests: [] } });
  }

  // By keys to the tab, where the case is removed.
  await page.keyboard.press('w');
  await page.keyboard.press('c');
  await expect(page.getByRole('tab', { name: 'Tests' })).toBeFocused();
  await page.getByRole('button', { name: 'Remove greets Ada' }).click();
  await page.getByRole('button', { name: 'Remove 1 test case' }).click();
  await expect(page.getByText('No test cases yet')).toBeVisible();
});

/** Orders over 100 go another way. */
const orders = {
  ...line('Orders'),
  nodes: [
    node('input', 'input'),
    node('big', 'condition', { expression: 'total > 100' }),
    node('ask', 'wait', { for: 'approval' }),
    node('small', 'transform', { expression: '{ "approved": true }' }),
    node('output', 'output', {}, { join: 'value' }),
  ].map((one, x) => ({ ...one, position: { x: x * 260, y: one.id === 'ask' ? -80 : one.id === 'small' ? 80 : 0 } })),
  edges: [
    { from: 'input', to: 'big' },
    { from: 'big', to: 'ask', port: 'true' },
    { from: 'big', to: 'small', port: 'false' },
    { from: 'ask', to: 'output' },
    { from: 'small', to: 'output' },
  ],
};

test('what is saved is tested at once, and the canvas shows which nodes and edges no case takes', async ({
  page,
  master,
}) => {
  await publish(master, 'covered', orders);
  await master.call('workflowTests.replace', {
    params: { id: 'covered' },
    body: { cases: [{ name: 'small orders', input: { total: 5 }, expect: { output: { approved: true } } }] },
  });
  await openPage(page, `${master.url}/workflows/covered?node=small`);
  const settings = page.getByRole('complementary', { name: 'Settings' });
  const expression = settings.getByRole('textbox', { name: 'Expression', exact: true });
  await expression.click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText('{ "approved": false }');
  const canvas = page.getByRole('application', { name: 'Canvas' });
  const still = await canvas.boundingBox();
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByLabel('Version message').fill('Ask for all');
  await page.keyboard.press('ControlOrMeta+Enter');
  const outcome = page.getByRole('status').filter({ hasText: 'Tests of' });
  await expect(outcome).toContainText('0 of 1 passed. Failed: small orders');
  await expect(outcome.getByRole('link', { name: 'Show tests' })).toHaveAttribute('href', /tab=tests/);
  expect(await canvas.boundingBox()).toEqual(still);

  const edge = (name: string) => canvas.getByRole('group', { name });
  await expect(edge('Edge from big to ask, true, not tested')).toHaveCount(0);
  await outcome.getByRole('switch', { name: 'Coverage on the canvas' }).press('Space');
  await expect(outcome).toContainText('4 of 5 nodes, 3 of 5 edges');
  for (const name of ['Collapse palette', 'Hide settings', 'Fit to view'])
    await page.getByRole('button', { name }).click();
  await expect(edge('Edge from big to ask, true, not tested')).toHaveCount(1);
  await expect(edge('Edge from big to small, false, tested')).toHaveCount(1);
  await expect(canvas.getByRole('group', { name: 'ask, wait, not tested' })).toBeVisible();
  await clear(page);
  await lookInBothThemes(page, 'workflow-tested');
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1200, height: 620 });
  await page.getByRole('button', { name: 'Fit to view' }).click();
  await page.mouse.move(700, 20);
  await takePicture(page, 'workflow-coverage', 'light', canvas);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(page).toHaveURL(/coverage=on/);

  // From the list of cases, too; with a case for the other branch all is tested.
  await master.call('workflowTests.replace', {
    params: { id: 'covered' },
    body: {
      cases: [
        { name: 'small orders', input: { total: 5 }, expect: { output: { approved: false } } },
        {
          name: 'large orders',
          input: { total: 500 },
          outputs: { ask: { approval: { decision: 'approve' } } },
          expect: { expression: 'approval.decision = "approve"' },
        },
      ],
    },
  });
  await openPage(page, `${master.url}/workflows/covered?tab=tests`);
  await page.getByRole('button', { name: 'Run tests' }).click();
  await expect(page.getByText('5 of 5 nodes, 5 of 5 edges')).toBeVisible();
  await page.getByRole('link', { name: 'Show on the canvas' }).click();
  await expect(outcome).toContainText('2 of 2 passed');
  await expect(edge('Edge from big to ask, true, tested')).toHaveCount(1);
});

test('a case is made of a past job by two keys', async ({ page, master }) => {
  await publish(master, 'recorded', greeter);
  const { jobId } = await master.call('jobs.create', {
    body: { workflowId: 'recorded', environment: 'dev', inputs: [{ name: 'Ada' }] },
  });
  await expect.poll(async () => (await master.job(jobId)).finishedAt).not.toBeNull();
  await openPage(page, `${master.url}/jobs/${jobId}`);
  await page.getByRole('button', { name: 'Save as test case' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Save as test case' });
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Show tests' })).toBeVisible();
  const { cases } = await master.call('workflowTests.get', { params: { id: 'recorded' } });
  expect(cases).toMatchObject([{ name: `Job ${jobId}`, input: { name: 'Ada' } }]);
});
