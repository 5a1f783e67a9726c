import { line, node } from '../support/workflow-definitions.ts';
import { expect, test } from '../support/test.ts';
import { openPage } from '../support/open-page.ts';

test('an author is warned of a call of what is not published, in the builder and before publishing, and can publish all the same', async ({
  page,
  master,
}) => {
  const caller = line('Caller', node('ask', 'workflow', { workflowId: 'called-later', environment: 'dev' }));
  await master.call('workflows.create', { body: { id: 'caller', name: 'Caller' } });
  await master.call('commits.create', {
    params: { id: 'caller' },
    json: JSON.stringify({ definition: caller, message: 'First version', parent: null }),
  });

  await page.goto(`${master.url}/workflows/caller`);
  await expect(
    page.getByText('Calls called-later, which does not exist or is archived: the task will fail.').first(),
  ).toBeVisible();
  await expect(page.getByText('1 warning, no errors')).toBeVisible();

  await master.call('workflows.create', { body: { id: 'called-later', name: 'Called later' } });
  await openPage(page, `${master.url}/workflows/caller?tab=publish`);
  await page.getByRole('button', { name: 'Publish to dev…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish caller to dev' });
  await expect(
    dialog.getByRole('note').getByText('Calls called-later in dev, where it is not published: the task will fail.'),
  ).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'Publish called-later' })).toHaveAttribute(
    'href',
    '/workflows/called-later?tab=publish',
  );
  await dialog.getByRole('button', { name: 'Publish to dev' }).click();
  await expect(page.getByText('It is used from the next call on.')).toBeVisible();

  const { hash } = await master.call('commits.create', {
    params: { id: 'called-later' },
    json: JSON.stringify({
      definition: line('Later', node('say', 'transform', { expression: '1' })),
      message: 'First version',
      parent: null,
    }),
  });
  await master.call('workflows.publish', {
    params: { id: 'called-later', environment: 'dev' },
    body: { hash, description: '' },
  });
  await page.getByRole('button', { name: 'Publish to staging…' }).click();
  await expect(
    page.getByRole('dialog', { name: 'Publish caller to staging' }).getByRole('button', { name: 'Publish to staging' }),
  ).toBeEnabled();
  await expect(
    page.getByRole('dialog', { name: 'Publish caller to staging' }).getByText(/It calls called-later/),
  ).toHaveCount(0);
});

test('a new workflow as it is offered answers whatever object it is called with first', async ({ page, master }) => {
  await page.goto(`${master.url}/workflows`);
  await page.getByRole('button', { name: 'New workflow' }).first().click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('First steps');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name: /^Save version/ }).click();
  await page.getByLabel('Version message').fill('As it is offered');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(/Saved version/)).toBeVisible();
  const { head } = await master.call('workflows.get', { params: { id: 'first-steps' } });
  await master.call('workflows.publish', {
    params: { id: 'first-steps', environment: 'dev' },
    body: { hash: head ?? '', description: '' },
  });
  const answer = await master.event('first-steps/dev', [{ content: 'hello' }, {}, { content: 5 }, { order: [1] }]);
  expect([answer.status, await answer.json()]).toEqual([
    200,
    [
      { answer: 'hello', received: { content: 'hello' } },
      { received: {} },
      { answer: 5, received: { content: 5 } },
      { received: { order: [1] } },
    ],
  ]);
  await openPage(page, `${master.url}/workflows/first-steps?tab=try`);
  await expect(page.getByRole('textbox', { name: 'Input' })).toContainText('"content": "hello"');
});
