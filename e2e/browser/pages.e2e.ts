import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { greeter } from '../support/definitions.ts';
import { expect, test } from '../support/fixtures.ts';
import { publish, type TestMaster } from '../support/master.ts';

/** Where the pictures go; `YARDMASTER_SCREENSHOTS=docs/images` renews those of the documentation. */
const PICTURES = process.env['YARDMASTER_SCREENSHOTS'] ?? 'test-results/pages';

/** Enough of everything that no page is empty. */
async function fill(master: TestMaster): Promise<{ done: string; failed: string; task: string }> {
  if (!(await master.api<{ totalItems: number }>('/api/v1/workflows?q=greeter')).totalItems) await publish(master, 'greeter', greeter);
  const good = await master.event('triage/dev', [
    { subject: 'Login is down for everybody', body: 'urgent, nobody can sign in', tier: 'gold' },
    { subject: 'Typo on the pricing page', tier: 'free' },
  ]);
  expect(good.status).toBe(200);
  for (let i = 0; i < 12; i++) await master.event('shout/dev', [{ content: `hello ${i}` }], { 'x-external-id': `order-${1000 + i}` });
  const bad = await master.event('reserve-stock/dev', [{ order: 'A-1', sku: 'nut-m3', count: 1, trouble: 'unknown' }]);
  const { jobId, taskId } = (await bad.json()) as { jobId: string; taskId: string };
  await master.api('/api/v1/jobs/bulk/kill', { method: 'POST', body: JSON.stringify({ ids: [jobId] }) });
  await master.api('/api/v1/secrets/STRIPE_KEY', { method: 'PUT', body: JSON.stringify({ value: 'sk_test_4242', description: 'Payments' }) });
  const { definition } = await master.api<{ definition: object }>('/api/v1/dashboards/job-monitoring');
  await master.api('/api/v1/dashboards', { method: 'POST', body: JSON.stringify({ id: 'mine', definition: { ...definition, title: 'Mine' } }) });
  return { done: good.headers.get('x-job-id') ?? '', failed: jobId, task: taskId };
}

let ids: { done: string; failed: string; task: string };
test.beforeAll(async ({ master }) => {
  ids = await fill(master);
});

/** Name, path, and what must be there before the page counts as drawn. */
const PAGES: [name: string, path: () => string, ready: (page: Page) => Promise<unknown>][] = [
  ['overview', () => '/', (page) => Promise.all([page.getByText('NON_RETRYABLE').first().waitFor(), page.locator('canvas').first().waitFor()])],
  ['workflows', () => '/workflows', (page) => page.getByRole('gridcell', { name: /triage/ }).first().waitFor()],
  ['workflow-canvas', () => '/workflows/triage', (page) => page.getByRole('group', { name: /Score it/ }).waitFor()],
  ['workflow-editor', () => '/workflows/triage?edit=json', (page) => page.getByRole('textbox', { name: 'Definition of triage' }).waitFor()],
  ['workflow-versions', () => '/workflows/triage?tab=versions', (page) => page.getByRole('tabpanel').getByText('dev').first().waitFor()],
  ['workflow-publish', () => '/workflows/triage?tab=publish', (page) => page.getByRole('button', { name: 'Publish… dev' }).waitFor()],
  ['workflow-try', () => '/workflows/triage?tab=try', (page) => page.getByRole('textbox', { name: 'Input' }).waitFor()],
  ['workflow-keys', () => '/workflows/triage?tab=keys', (page) => page.getByRole('tabpanel').getByRole('button').first().waitFor()],
  ['jobs', () => '/jobs', (page) => page.getByRole('gridcell', { name: /shout/ }).first().waitFor()],
  ['job-graph', () => `/jobs/${ids.done}`, (page) => page.getByText('Completed').first().waitFor()],
  ['job-tasks', () => `/jobs/${ids.done}?tab=tasks`, (page) => page.getByRole('gridcell').first().waitFor()],
  ['job-timeline', () => `/jobs/${ids.done}?tab=timeline`, (page) => page.getByRole('tabpanel').getByText('score').first().waitFor()],
  ['job-logs', () => `/jobs/${ids.done}?tab=logs`, (page) => page.getByText(/scored a ticket/).first().waitFor()],
  ['job-metrics', () => `/jobs/${ids.done}?tab=metrics`, (page) => page.locator('canvas').first().waitFor()],
  ['job-data', () => `/jobs/${ids.done}?tab=data`, (page) => page.getByText('withinMinutes').first().waitFor()],
  ['job-task', () => `/jobs/${ids.failed}?task=${ids.task}`, (page) => page.getByRole('dialog', { name: 'Task' }).getByText(/no article/).first().waitFor()],
  ['jobs-bulk', () => '/jobs?status=FAILED', async (page) => {
    await page.getByRole('checkbox', { name: 'Select all rows that match' }).click();
    await page.getByRole('group', { name: 'Selected jobs' }).getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('dialog').getByText(/which jobs these are/).first().waitFor();
  }],
  ['job-rerun', () => `/jobs/${ids.failed}`, async (page) => {
    await page.getByRole('button', { name: 'Rerun…' }).click();
    await page.getByRole('dialog', { name: 'Run the job again' }).getByText('Edited').click();
    await page.getByRole('textbox', { name: 'Inputs' }).waitFor();
  }],
  ['failures', () => '/failures', (page) => page.getByRole('gridcell', { name: /no article/ }).first().waitFor()],
  ['failure', () => '/failures', async (page) => {
    await page.getByRole('gridcell', { name: /no article/ }).first().click();
    await page.getByRole('dialog', { name: 'Failure' }).getByRole('button', { name: 'Resolve' }).waitFor();
  }],
  ['operations', () => '/operations', (page) => page.getByRole('gridcell', { name: /Killed/ }).first().waitFor()],
  ['operation', () => '/operations', async (page) => {
    await page.getByRole('gridcell', { name: /Killed/ }).first().click();
    await page.getByRole('dialog', { name: 'Operation' }).getByRole('grid', { name: 'Results' }).getByText('Not done').first().waitFor();
  }],
  ['worker', () => '/workers', async (page) => {
    await page.getByRole('gridcell', { name: 'Operational' }).first().click();
    await page.getByRole('dialog', { name: 'Worker' }).getByText('Tasks that it holds').waitFor();
  }],
  ['settings-secrets', () => '/settings?tab=secrets', (page) => page.getByRole('gridcell', { name: 'STRIPE_KEY', exact: true }).waitFor()],
  ['settings-limits', () => '/settings?tab=limits', (page) => page.getByRole('gridcell', { name: 'Job retention jobRetentionDays', exact: true }).waitFor()],
  ['workers', () => '/workers', (page) => page.getByRole('gridcell', { name: 'Operational' }).first().waitFor()],
  ['logs', () => '/logs', (page) => page.getByText(/scored a ticket/).first().waitFor()],
  ['alerts', () => '/alerts', (page) => page.getByText('Nothing fires').waitFor()],
  ['alerts-rules', () => '/alerts?tab=rules', (page) => page.getByRole('gridcell', { name: 'Failure rate built in' }).waitFor()],
  ['alerts-rule', () => '/alerts?tab=rules&rule=new', (page) => page.getByRole('dialog', { name: 'Alert rule' }).getByText(/would not have fired|would have fired|finds nothing/).waitFor()],
  ['alerts-channels', () => '/alerts?tab=channels', (page) => page.getByRole('gridcell', { name: /^Desktop built in/ }).waitFor()],
  ['alerts-routing', () => '/alerts?tab=routing', (page) => page.getByRole('button', { name: 'Add a route' }).waitFor()],
  ['logs-record', () => '/logs?columns=source&wrap=on', async (page) => {
    await page.getByText(/scored a ticket/).first().click();
    await page.getByRole('button', { name: 'Lines around it' }).first().waitFor();
    await page.keyboard.press('Control+f');
    await page.getByLabel('Find', { exact: true }).fill('ticket');
    await page.getByText(/^\d+ lines?$/).first().waitFor();
  }],
  ['dashboards', () => '/dashboards', (page) => page.getByRole('gridcell', { name: /Job Monitoring/ }).waitFor()],
  ['dashboard', () => '/dashboards/job-monitoring', (page) => Promise.all([page.getByRole('region', { name: 'Jobs finished', exact: true }).getByText(/^[1-9]\d*$/).waitFor(), page.locator('canvas').nth(3).waitFor()])],
  ['dashboard-edit', () => '/dashboards/mine?edit=form', async (page) => {
    await page.getByRole('button', { name: 'Edit Jobs finished', exact: true }).click();
    await page.getByRole('complementary', { name: 'The panel' }).getByLabel('Measurement').waitFor();
    await page.locator('canvas').first().waitFor();
  }],
  ['dashboard-json', () => '/dashboards/mine?edit=json', (page) => page.getByRole('textbox', { name: 'Definition of Mine' }).waitFor()],
  ['explore', () => '/dashboards/explore?measurement=job_metrics&field=timer_total_ms', (page) => page.locator('canvas').first().waitFor()],
  ['settings', () => '/settings', (page) => page.getByRole('heading', { name: 'Settings' }).waitFor()],
  ['fleet', () => '/fleet?q=triage', (page) => page.getByRole('region').getByRole('button', { name: /triage/ }).first().waitFor()],
  ['palette', () => '/jobs', async (page) => {
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    await page.keyboard.press('ControlOrMeta+K');
    await page.getByRole('combobox', { name: 'Page, id, workflow or action' }).fill('triage');
    await page.getByRole('option', { name: /Workflow ·/ }).waitFor();
  }],
  ['commands', () => '/jobs?status=FAILED', async (page) => {
    await page.getByRole('button', { name: 'This page as a command' }).click();
    await page.getByText('Link to this page').waitFor();
  }],
  ['help', () => '/logs', async (page) => {
    await page.getByRole('button', { name: 'Help on this page' }).click();
    await page.getByRole('dialog').getByRole('article').waitFor();
  }],
  ['notifications', () => '/', async (page) => {
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await page.getByRole('tab', { name: 'What to tell' }).click();
    await page.getByRole('switch', { name: 'Workers that are lost' }).waitFor();
  }],
  ['tour', () => '/', async (page) => {
    await page.getByRole('button', { name: 'Take the tour' }).click();
    await page.getByRole('dialog', { name: 'The pages' }).waitFor();
  }],
  ['not-found', () => '/nowhere', (page) => page.getByRole('heading').first().waitFor()],
];

test.describe.configure({ mode: 'parallel' });
for (const [name, path, ready] of PAGES) {
  test(`${name}, light and dark: nothing serious for assistive technology`, async ({ visitor: { page, faults }, master }) => {
    faults.length = 0;
    mkdirSync(PICTURES, { recursive: true });
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.goto(`${master.url}${path()}`);
    await ready(page);
    await page.evaluate(() => document.fonts.ready);
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor();
      await page.screenshot({ path: join(PICTURES, `${name}-${theme}.png`) });
      const rules = new AxeBuilder({ page }).options({ resultTypes: ['violations'] });
      // A theme changes colours, nothing else.
      const { violations } = await (theme === 'light' ? rules.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']) : rules.withRules('color-contrast')).analyze();
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      expect(serious.map(({ id, help, nodes }) => `${theme}: ${id}: ${help}\n  ${nodes.map((node) => node.html).slice(0, 5).join('\n  ')}`)).toEqual([]);
    }
    expect(faults).toEqual([]);
  });
}
