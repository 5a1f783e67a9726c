import { createApiClient, fetchTransport } from '../../src/lib/api-client.ts';
import { openPage } from '../support/open-page.ts';
import { expect, test } from '../support/test.ts';
import { line, node } from '../support/workflow-definitions.ts';

// Protected environments hold for the whole master.
test.use({ group: 'approvals' });

test('a publication to a protected environment waits until a second person approves it', async ({ page, master }) => {
  const { token } = await master.call('tokens.create', { body: { name: 'bob', role: 'admin' } });
  const bob = createApiClient(fetchTransport({ url: master.url, token }, fetch));
  await master.call('workflows.create', { body: { id: 'guarded', name: 'Guarded' } });
  const hashes: string[] = [];
  for (const text of ['1', '2']) {
    const { hash } = await master.call('commits.create', {
      params: { id: 'guarded' },
      json: JSON.stringify({
        definition: line('Guarded', node('say', 'transform', { expression: text })),
        message: `Version ${text}`,
        parent: hashes.at(-1) ?? null,
      }),
    });
    hashes.push(hash);
  }
  const [first = '', second = ''] = hashes;
  const params = { id: 'guarded', environment: 'staging' as const };
  await master.call('workflows.publish', { params, body: { hash: first } });
  await master.call('settings.update', { body: { protectedEnvironments: { staging: { approvals: 1 } } } });

  // What another person asks for appears by itself, with what would change.
  await openPage(page, `${master.url}/`);
  await bob.call('workflows.publish', { params, body: { hash: second, description: 'New rule' } });
  await page.getByRole('link', { name: /Approvals/ }).click();
  await page.getByRole('gridcell', { name: `Publish ${second.slice(0, 8)} of guarded to staging` }).click();
  const request = page.getByRole('dialog', { name: 'Approval request' });
  await expect(request.getByText('New rule')).toBeVisible();
  await expect(request.getByText('say').first()).toBeVisible();
  await request.getByRole('button', { name: 'Approve' }).click();
  await expect(request.getByText('Decided by')).toBeVisible();
  const live = async () =>
    (await master.call('workflows.environments', { params: { id: 'guarded' } })).items.find(
      ({ environment }) => environment === 'staging',
    )?.hash;
  expect(await live()).toBe(second);

  // One's own request is for others to decide.
  await openPage(page, `${master.url}/workflows/guarded?tab=publish`);
  await page.getByRole('button', { name: 'Publish to staging…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish guarded to staging' });
  await expect(dialog.getByText('staging is protected')).toBeVisible();
  await dialog.getByRole('button', { name: 'Request approval' }).click();
  await expect(page.getByText('Approval requested')).toBeVisible();
  await openPage(page, `${master.url}/approvals`);
  await page.getByRole('gridcell', { name: /of guarded to staging/ }).click();
  await expect(request.getByText('You requested this, so another person must decide.')).toBeVisible();
  await expect(request.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  await request.getByRole('button', { name: 'Withdraw request' }).click();
  await expect(page.getByText('Request withdrawn')).toBeVisible();
  expect((await bob.call('approvals.list', { query: { status: 'open' } })).items).toEqual([]);
});

test('an alert says that somebody approved alone, and that a request expired', async ({ page, master }) => {
  test.slow();
  const publishAgain = async (id: string) => {
    const params = { id, environment: 'staging' as const };
    const definition = (text: string) => JSON.stringify(line(id, node('say', 'transform', { expression: text })));
    await master.call('workflows.create', { body: { id, name: id } });
    const { hash } = await master.call('commits.create', {
      params: { id },
      json: `{"definition":${definition('1')},"message":"First","parent":null}`,
    });
    await master.call('workflows.publish', { params, body: { hash } });
    const { items } = await master.call('approvals.list', { query: { status: 'open' } });
    const request = items.find(({ publish }) => publish?.workflowId === id);
    if (!request) throw new Error(`the publication of ${id} waits for nobody`);
    return request.id;
  };
  await master.call('settings.update', {
    body: { approvalSeconds: 60, approvalOverride: true, protectedEnvironments: { staging: { approvals: 1 } } },
  });

  await publishAgain('late');
  const alone = await publishAgain('hurried');
  await master.call('approvals.decide', {
    params: { id: alone },
    body: { decision: 'approve', override: true, comment: 'The second person is ill' },
  });

  await openPage(page, `${master.url}/alerts`);
  const row = (reason: string) =>
    page.getByRole('row', { name: new RegExp(`without a second person: \\d+ \\(${reason}\\)`) });
  await expect(row('alone')).toBeVisible();
  await expect(row('expired')).toBeVisible({ timeout: 150_000 });
  await openPage(page, `${master.url}/approvals?status=expired`);
  await expect(page.getByRole('gridcell', { name: /of late to staging/ })).toBeVisible();
});
