import type { Browser, Page } from '@playwright/test';
import { violationsOf } from '../support/accessibility.ts';
import { openPage } from '../support/open-page.ts';
import type { TestMaster } from '../support/master.ts';
import { takePicture } from '../support/screenshots.ts';
import { expect, test } from '../support/test.ts';
import { line, node } from '../support/workflow-definitions.ts';

// People and projects are there for the whole master.
test.use({ group: 'projects' });

async function published(master: TestMaster, id: string): Promise<void> {
  await master.call('workflows.create', { body: { id, name: id } });
  const { hash } = await master.call('commits.create', {
    params: { id },
    json: JSON.stringify({
      definition: line(id, node('say', 'transform', { expression: 'content' })),
      message: 'First',
      parent: null,
    }),
  });
  await master.call('workflows.publish', { params: { id, environment: 'dev' }, body: { hash } });
  await master.call('jobs.create', { body: { workflowId: id, environment: 'dev', inputs: [{ content: 'a' }] } });
}

/** Nothing serious for assistive technology. */
async function expectAccessible(page: Page): Promise<void> {
  const serious = (await violationsOf(page)).filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, help, html }) => `${id}: ${help}\n  ${html.join('\n  ')}`)).toEqual([]);
}

async function signedIn(browser: Browser, master: TestMaster, login: string, password: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.goto(`${master.url}/`);
  await page.getByLabel('Sign-in name').fill(login);
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel(/^New password/).fill('some words in a row');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  return page;
}

test('an admin gives a person a role in one project, who then sees only that and cannot publish to prod', async ({
  page,
  master,
  systemBrowser,
}) => {
  await published(master, 'orders');
  await published(master, 'ledger');

  // Who works alone sees nothing of projects.
  await openPage(page, `${master.url}/workflows`);
  await expect(page.getByRole('gridcell', { name: 'orders' }).first()).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Project' })).toHaveCount(0);
  await openPage(page, `${master.url}/settings?tab=tokens`);
  await expect(page.getByRole('tab', { name: 'Projects' })).toHaveCount(0);

  await page.getByRole('link', { name: 'Let people sign in by name' }).click();
  await page.getByRole('link', { name: 'Projects' }).click();
  await page.getByRole('button', { name: 'New project' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Shop');
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await expect(page.getByRole('gridcell', { name: 'Shop shop' })).toBeVisible();
  await takePicture(page, 'projects', 'light');
  await expectAccessible(page);

  await page.getByRole('tab', { name: 'Roles' }).click();
  await page.getByRole('button', { name: 'New role' }).click();
  await dialog.getByLabel('Name').fill('release-dev');
  for (const right of [
    'See inputs and outputs',
    'Read logs',
    'Create and change workflows',
    'Publish to dev and staging',
  ])
    await dialog.getByRole('checkbox', { name: right }).check();
  await dialog.getByRole('button', { name: 'Create role' }).click();
  await expect(page.getByRole('columnheader', { name: 'release-dev' })).toBeVisible();
  await takePicture(page, 'roles', 'light');
  await expectAccessible(page);

  // The workflow moves from its own page.
  await openPage(page, `${master.url}/workflows/orders`);
  await page.getByRole('button', { name: 'Project: default' }).click();
  await dialog.getByRole('combobox', { name: 'Project' }).click();
  await page.getByRole('option', { name: 'shop' }).click();
  await dialog.getByRole('button', { name: 'Move workflow' }).click();
  await expect(page.getByRole('button', { name: 'Project: shop' })).toBeVisible();
  await takePicture(page, 'workflow-project', 'light');

  // A key calls workflows of its project alone: one that is made on a workflow's page is made there.
  await page.getByRole('tab', { name: 'Keys' }).click();
  await page.getByRole('button', { name: 'New key' }).first().click();
  await dialog.getByLabel('Name').fill('caller');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await expect
    .poll(
      async () => (await master.call('keys.list', { query: {} })).items.find(({ name }) => name === 'caller')?.project,
    )
    .toBe('shop');

  const ann = await master.call('users.create', { body: { login: 'ann', name: 'Ann A.' } });
  await openPage(page, `${master.url}/settings?tab=people`);
  await page.getByRole('gridcell', { name: 'Ann A. ann' }).click();
  const panel = page.getByRole('dialog', { name: 'Account' });
  await panel.getByRole('button', { name: 'Give a role' }).click();
  const form = page.getByRole('dialog', { name: 'Give a role' });
  await form.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: 'release-dev' }).click();
  await form.getByRole('combobox', { name: 'Where' }).click();
  await page.getByRole('option', { name: 'Shop (shop)' }).click();
  await expect(form.getByText('Publish to dev and staging')).toBeVisible();
  await takePicture(page, 'grant', 'light');
  await form.getByRole('button', { name: 'Give role' }).click();
  await expect(panel.getByRole('gridcell', { name: /^release-dev/ })).toBeVisible();
  await takePicture(page, 'person', 'light');
  await expectAccessible(page);

  const her = await signedIn(systemBrowser, master, 'ann', ann.password ?? '');
  // Her Overview tells of her project alone.
  await expect(her.getByRole('heading', { name: 'Overview', exact: true })).toBeVisible();
  await her.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Workflows' }).click();
  await expect(her.getByRole('gridcell', { name: 'orders' }).first()).toBeVisible();
  await expect(her.getByRole('gridcell', { name: 'ledger' })).toHaveCount(0);
  const pages = her.getByRole('navigation', { name: 'Pages' });
  await expect(pages.getByRole('link', { name: 'Jobs' })).toBeVisible();
  await takePicture(her, 'limited-workflows', 'light');
  for (const hidden of ['Workers', 'Alerts', 'Cluster'])
    await expect(pages.getByRole('link', { name: hidden, exact: true })).toHaveCount(0);
  await her.goto(`${master.url}/workers`);
  await expect(her.getByText('This page is not for your roles')).toBeVisible();
  await takePicture(her, 'limited-refused', 'light');

  await her.goto(`${master.url}/workflows/orders?tab=publish`);
  await expect(her.getByRole('button', { name: 'Publish to dev…' })).toBeEnabled();
  const toProd = her.getByRole('button', { name: 'Publish to prod…' });
  await expect(toProd).toHaveAttribute('aria-disabled', 'true');
  await toProd.hover();
  await expect(her.getByRole('tooltip')).toContainText('Your roles in project shop do not allow “Publish to prod”');
  await takePicture(her, 'limited-publish', 'light');

  // Her own token, from the account menu.
  await her.getByRole('button', { name: 'Account: ann, release-dev (shop)' }).click();
  await her.getByRole('menuitem', { name: 'Profile, password and tokens' }).click();
  await her.getByRole('button', { name: 'New token' }).first().click();
  await her.getByRole('dialog').getByLabel('Name').fill('script');
  await her.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
  await her.getByRole('button', { name: 'I have copied it' }).click();
  await expect(her.getByRole('gridcell', { name: /^script/ })).toBeVisible();
  await takePicture(her, 'own-tokens', 'light');
  await expectAccessible(her);
  await her.getByRole('button', { name: 'Revoke script' }).click();
  await her.getByRole('button', { name: 'Revoke 1 token' }).click();
  await expect(her.getByText('Token revoked')).toBeVisible();

  // From the project's side: who has access, and why it stays.
  await openPage(page, `${master.url}/settings?tab=projects&open=shop`);
  const project = page.getByRole('dialog', { name: 'Project' });
  await expect(project.getByRole('gridcell', { name: 'ann', exact: true })).toBeVisible();
  await takePicture(page, 'project', 'light');
  await expectAccessible(page);
  await project.getByRole('button', { name: 'Take the role release-dev back from ann' }).click();
  await page.getByRole('button', { name: 'Take 1 role back' }).click();
  await expect(project.getByText('Nobody but those who come in with a token')).toBeVisible();
  // It holds at once, in the window that she has open.
  await expect(her.getByRole('heading', { name: 'No access yet' })).toBeVisible();
  await her.context().close();
});
