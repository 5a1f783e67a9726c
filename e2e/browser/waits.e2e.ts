import type { Locator, Page } from '@playwright/test';
import { publish, type TestMaster } from '../support/master.ts';
import { lookInBothThemes } from '../support/both-themes.ts';
import { openPage } from '../support/open-page.ts';
import { violationsOf } from '../support/accessibility.ts';
import { takePicture } from '../support/screenshots.ts';
import { expect, test } from '../support/test.ts';
import { line, node } from '../support/workflow-definitions.ts';

const FORM = {
  type: 'object',
  required: ['reason', 'sum'],
  properties: {
    reason: { type: 'string', title: 'Reason' },
    sum: { type: 'number', title: 'Sum', description: 'In EUR', maximum: 1000 },
    express: { type: 'boolean', title: 'Express' },
  },
};

const asks = (config: Record<string, unknown> = {}) =>
  line(
    'Release',
    node(
      'release',
      'wait',
      { for: 'approval', title: 'Release order {{ id }}?', ...config },
      { name: 'Ask the manager' },
    ),
  );

async function start(master: TestMaster, workflowId: string, input: object = { id: 4711 }): Promise<string> {
  const { jobId } = await master.call('jobs.create', {
    body: { workflowId, environment: 'dev', inputs: [{ ...input }] },
  });
  return jobId;
}

/** The approval that a job waits for, once it does. */
async function approvalOf(master: TestMaster, jobId: string): Promise<string> {
  let found: string | null = null;
  await expect
    .poll(async () => {
      const { items } = await master.call('waits.list', { query: { jobId } });
      found = items[0]?.approvalId ?? null;
      return found;
    })
    .not.toBeNull();
  return found ?? '';
}

const endOf = async (master: TestMaster, jobId: string) => (await master.job(jobId)).status;

const tabTo = (page: Page, button: string): Promise<void> =>
  tabUntil(page, page.getByRole('button', { name: button, exact: true }).last());

/** Tab after Tab, until what is asked for has the focus. */
async function tabUntil(page: Page, wanted: Locator): Promise<void> {
  for (let i = 0; i < 60 && !(await wanted.evaluate((one) => one === document.activeElement)); i++)
    await page.keyboard.press('Tab');
  await expect(wanted).toBeFocused();
}

test('an author adds a wait for approval with a form, and the job that comes to it says what it waits for', async ({
  page,
  master,
}) => {
  await publish(master, 'to-release', line('To release', node('say', 'transform', { expression: '$' })));
  await openPage(page, `${master.url}/workflows/to-release?node=say`);
  const settings = page.getByRole('complementary', { name: 'Settings' });
  await expect(settings.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('say');
  await page.getByRole('combobox', { name: 'Node to add' }).focus();
  await page.keyboard.type('wait');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('application', { name: 'Canvas' }).getByRole('group', { name: /^wait,/ })).toBeVisible();

  // Of a time it says that none is given.
  await settings.getByText('A time', { exact: true }).click();
  await expect(page.getByText(/exactly one of seconds and until/i).first()).toBeVisible();
  await settings.getByText('An approval', { exact: true }).click();
  await settings.getByRole('textbox', { name: 'Question', exact: true }).click();
  await page.keyboard.insertText('Release order {{ id }}?');
  const form = settings.getByRole('textbox', { name: 'Form', exact: true });
  await form.click();
  await page.keyboard.insertText('{ "type": "nothing" }');
  await expect(settings.getByText(/type.*(must|expected)|unknown type/i).first()).toBeVisible();
  await form.click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(JSON.stringify(FORM));
  await expect(page.getByText('Ready to save and publish.')).toBeVisible();
  await settings.getByLabel('Roles', { exact: true }).fill('admin');
  await page.keyboard.press('Enter');
  await expect(settings.getByText('admin', { exact: true })).toBeVisible();
  await expect(page.getByText('Ready to save and publish.')).toBeVisible();
  await lookInBothThemes(page, 'workflow-wait');
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByLabel('Version message').fill('Ask first');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByText(/Saved version/)).toBeVisible();
  const { items } = await master.call('commits.list', { params: { id: 'to-release' } });
  const { definition } = await master.call('commits.get', {
    params: { id: 'to-release', hash: items[0]?.hash ?? '' },
  });
  expect(definition.nodes.find(({ type }) => type === 'wait')?.config).toMatchObject({
    approvers: { roles: ['admin'] },
  });
  await master.call('workflows.publish', {
    params: { id: 'to-release', environment: 'dev' },
    body: { hash: items[0]?.hash ?? '' },
  });

  const jobId = await start(master, 'to-release');
  const id = await approvalOf(master, jobId);
  await openPage(page, `${master.url}/jobs/${jobId}?tab=tasks`);
  await page.getByRole('gridcell', { name: /^wait/ }).first().click();
  // The page of the job says so by itself.
  const waiting = page.getByRole('status').filter({ hasText: 'waits until a person approves or rejects' });
  await expect(waiting.getByRole('link', { name: 'Open the request' })).toBeVisible();
  const box = page.getByRole('region', { name: 'Waiting for' });
  await expect(box).toContainText('until a person approves or rejects');
  await lookInBothThemes(page, 'job-wait');
  await box.getByRole('link', { name: 'Open the request' }).click();
  await expect(page).toHaveURL(new RegExp(id));
  await expect(page.getByRole('dialog', { name: 'Approval request' })).toContainText('Release order 4711?');
});

test('an approver answers in the inbox by keys alone, and is told at the field what is missing', async ({
  page,
  master,
}) => {
  await publish(master, 'by-inbox', asks({ form: FORM }));
  const jobId = await start(master, 'by-inbox');
  await approvalOf(master, jobId);
  await openPage(page, `${master.url}/jobs`);
  await expect(page.getByRole('heading', { name: 'Jobs' })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('q');
  await expect(page.getByRole('heading', { name: 'Approvals' })).toBeVisible();
  const row = page.getByRole('row', { name: /by-inbox: Release order 4711/ });
  await expect(row).toBeVisible();
  await lookInBothThemes(page, 'approvals');
  const grid = page.getByRole('grid', { name: 'Approvals' });
  await tabUntil(page, grid);
  const isAt = async () => (await grid.getAttribute('aria-activedescendant')) === (await row.getAttribute('id'));
  for (let i = 0; i < 20 && !(await isAt()); i++) await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const request = page.getByRole('dialog', { name: 'Approval request' });
  await expect(request).toContainText('Release order 4711?');

  await tabTo(page, 'Approve');
  await page.keyboard.press('Enter');
  const reason = request.getByRole('textbox', { name: 'Reason' });
  await expect(reason).toBeFocused();
  await expect(reason).toHaveAccessibleDescription('Required.');
  await page.keyboard.type('paid');
  await expect(reason).toHaveAccessibleDescription('');
  await page.keyboard.press('Tab');
  await page.keyboard.type('1200');
  await page.keyboard.press('ControlOrMeta+Enter');
  // What the master refuses stands at its field, too.
  const sum = request.getByRole('textbox', { name: 'Sum' });
  await expect(sum).toHaveAccessibleDescription(/1000/);
  await lookInBothThemes(page, 'approval-fields');
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await takePicture(page, 'approval-form', 'light', request.getByRole('form'));
  await expect(sum).toBeFocused();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('12');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.type('As agreed');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(request.getByText('Decided by')).toBeVisible();
  await expect(request.getByRole('region', { name: 'Answer' })).toContainText(/Reason\s*paid\s*Sum\s*12/);
  await expect.poll(() => endOf(master, jobId)).toBe('COMPLETED');
  expect(await master.output(jobId)).toMatchObject([
    { approval: { decision: 'approve', comment: 'As agreed', form: { reason: 'paid', sum: 12, express: true } } },
  ]);
});

test('somebody without an account answers by a link, by keys alone, and once', async ({ page, master }) => {
  await publish(master, 'by-link', asks({ form: FORM }));
  const jobId = await start(master, 'by-link');
  const id = await approvalOf(master, jobId);
  await openPage(page, `${master.url}/approvals?approval=${id}`);
  await page.getByRole('button', { name: 'One-time link…' }).press('Enter');
  const making = page.getByRole('dialog', { name: 'One-time link', exact: true });
  const to = making.getByRole('textbox', { name: 'For' });
  await expect(to).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(to).toHaveAccessibleDescription(/Required\./);
  await page.keyboard.type('boss@example.com');
  await page.keyboard.press('Enter');
  const made = page.getByRole('dialog', { name: 'One-time link for boss@example.com' });
  await expect(made.getByText('/respond/')).toBeVisible();
  await lookInBothThemes(page, 'one-time-link');
  const url = await made.locator('pre').innerText();
  await expect(made.getByRole('button', { name: 'Done' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.goto(url);
  await expect(page.getByRole('heading', { name: 'Release order 4711?' })).toBeVisible();
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await takePicture(page, 'respond', theme);
    expect(await violationsOf(page)).toEqual([]);
  }
  await page.keyboard.press('Tab');
  await page.keyboard.type('paid');
  // A decision takes its own button.
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type('12');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Approve');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Approved. The job goes on.' })).toBeVisible();
  await expect.poll(() => endOf(master, jobId)).toBe('COMPLETED');
  expect(await master.output(jobId)).toMatchObject([
    { approval: { decidedBy: 'link: boss@example.com', form: { reason: 'paid', sum: 12 } } },
  ]);
  await page.goto(url);
  await expect(page.getByRole('heading', { name: 'Already decided' })).toBeVisible();
});

test('a rejection fails the job, or leads to the other branch', async ({ page, master }) => {
  await publish(master, 'rejected', asks());
  await publish(master, 'diverted', asks({ onReject: 'continue' }));
  for (const [workflow, status] of [
    ['rejected', 'FAILED'],
    ['diverted', 'COMPLETED'],
  ] as const) {
    const jobId = await start(master, workflow);
    const id = await approvalOf(master, jobId);
    await openPage(page, `${master.url}/approvals?approval=${id}`);
    const request = page.getByRole('dialog', { name: 'Approval request' });
    await expect(request.getByText('Ask the manager')).toBeVisible();
    await request.getByRole('textbox', { name: 'Comment' }).fill('Too dear');
    await request.getByRole('button', { name: 'Reject' }).click();
    await expect(request.getByText('Too dear')).toBeVisible();
    await expect.poll(() => endOf(master, jobId)).toBe(status);
    await openPage(page, `${master.url}/jobs/${jobId}`);
    if (status === 'FAILED') await expect(page.getByText(/APPROVAL_REJECTED/).first()).toBeVisible();
    else expect(await master.output(jobId)).toMatchObject([{ approval: { decision: 'reject', comment: 'Too dear' } }]);
  }
});

test('nobody answers: the deadline rejects, and is named as who decided', async ({ page, master }) => {
  await publish(master, 'late', asks({ timeoutSeconds: 1, onTimeout: 'reject' }));
  const jobId = await start(master, 'late');
  await expect.poll(() => endOf(master, jobId)).toBe('FAILED');
  await openPage(page, `${master.url}/approvals?status=rejected`);
  await page.getByRole('gridcell', { name: 'late: Release order 4711?' }).click();
  const request = page.getByRole('dialog', { name: 'Approval request' });
  await expect(request.getByText('Decided by')).toBeVisible();
  await expect(request.getByText('deadline', { exact: true })).toBeVisible();
});

test('a signal is sent from the console with its payload, by keys alone', async ({ page, master }) => {
  await publish(master, 'paid', line('Paid', node('hold', 'wait', { for: 'signal', name: 'paid' })));
  const jobId = await start(master, 'paid');
  await expect.poll(async () => (await master.call('waits.list', { query: { jobId } })).items.length).toBe(1);
  await openPage(page, `${master.url}/jobs/${jobId}?tab=tasks`);
  await page.getByRole('gridcell', { name: /^hold/ }).first().click();
  await expect(page.getByRole('region', { name: 'Waiting for' })).toContainText('paid');
  await tabTo(page, 'Send signal…');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Send signal paid' });
  const payload = dialog.getByRole('textbox', { name: 'Payload' });
  await expect(payload).toBeFocused();
  await page.keyboard.insertText('{ "sum": }');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(payload).toHaveAttribute('aria-invalid', 'true');
  await expect(payload).toHaveAccessibleDescription(/no value/);
  await lookInBothThemes(page, 'signal');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText('{ "sum": 12345678901234567 }');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByText('Signal sent')).toBeVisible();
  await expect.poll(() => endOf(master, jobId)).toBe('COMPLETED');
  expect(JSON.stringify(await master.output(jobId))).toContain('"sentBy"');
});
