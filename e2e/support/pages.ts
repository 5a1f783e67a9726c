import { pathTo } from '../../src/lib/api-client.ts';
import type { Page } from '@playwright/test';
import { searchUntilFound } from './fleet-search.ts';
import type { SampleData } from './sample-data.ts';

/** The settings beside the canvas take room from it: all of it is brought back into sight, and the pointer taken away. */
async function showAll(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Fit to view' }).click();
  await page.mouse.move(600, 20);
}

/** Name, path, and what must be there before the page counts as drawn. */
export const PAGES: readonly [
  name: string,
  path: (data: SampleData) => string,
  ready: (page: Page, data: SampleData) => Promise<unknown>,
][] = [
  [
    'overview',
    () => '/',
    (page) =>
      Promise.all([page.getByText('NON_RETRYABLE').first().waitFor(), page.locator('canvas').first().waitFor()]),
  ],
  [
    'workflows',
    () => '/workflows',
    (page) =>
      page
        .getByRole('gridcell', { name: /triage/ })
        .first()
        .waitFor(),
  ],
  ['workflow-canvas', () => '/workflows/triage', (page) => page.getByRole('group', { name: /Score it/ }).waitFor()],
  [
    'workflow-node',
    () => '/workflows/triage',
    async (page) => {
      await page.getByRole('group', { name: /Score it/ }).click();
      await page.getByRole('complementary', { name: 'Settings' }).locator('.cm-editor').first().waitFor();
      await showAll(page);
    },
  ],
  [
    'workflow-draft-run',
    () => '/workflows/checkout',
    async (page) => {
      await page.getByRole('button', { name: 'Example input' }).click();
      const dialog = page.getByRole('dialog', { name: 'Example input' });
      await dialog.getByRole('textbox', { name: 'Example input' }).click();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.press('Delete');
      await page.keyboard.insertText('{ "order": 4711, "country": "DE", "tier": "gold", "count": 3 }');
      await dialog.getByRole('button', { name: 'Run draft' }).click();
      await page
        .locator('.react-flow__node[data-id="receipt"]')
        .getByText(/Order 4711: 10.71 EUR/)
        .waitFor();
      await page.locator('.react-flow__node[data-id="price"]').click();
      await page.getByRole('tab', { name: 'Result', exact: true }).click();
      await page.getByRole('tree', { name: 'Output' }).waitFor();
      await showAll(page);
    },
  ],
  [
    'workflow-diff',
    ({ before, after }) => `/workflows/checkout?tab=versions&from=${before}&to=${after}`,
    (page) => page.getByText('Price it', { exact: true }).first().waitFor(),
  ],
  [
    'workflow-shadow',
    () => '/workflows/checkout?tab=publish',
    async (page) => {
      await page.getByRole('button', { name: 'Publish to prod…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Publish checkout to prod' });
      await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
      await dialog.getByText(/inputs? differs?\. Review/).waitFor();
      await dialog.getByText('Output differences').scrollIntoViewIfNeeded();
    },
  ],
  [
    'workflow-editor',
    () => '/workflows/triage?edit=json',
    (page) => page.getByRole('textbox', { name: 'Definition of triage' }).waitFor(),
  ],
  [
    'workflow-versions',
    () => '/workflows/triage?tab=versions',
    (page) => page.getByRole('tabpanel').getByText('dev').first().waitFor(),
  ],
  [
    'workflow-publish',
    () => '/workflows/triage?tab=publish',
    (page) => page.getByRole('button', { name: 'Publish to dev…' }).waitFor(),
  ],
  ['workflow-try', () => '/workflows/triage?tab=try', (page) => page.getByRole('textbox', { name: 'Input' }).waitFor()],
  [
    'workflow-keys',
    () => '/workflows/triage?tab=keys',
    (page) => page.getByRole('tabpanel').getByRole('button').first().waitFor(),
  ],
  ['jobs', () => '/jobs', (page) => page.getByRole('gridcell', { name: /shout/ }).first().waitFor()],
  ['job-graph', (data) => `/jobs/${data.done}`, (page) => page.getByText('Completed').first().waitFor()],
  ['job-tasks', (data) => `/jobs/${data.done}?tab=tasks`, (page) => page.getByRole('gridcell').first().waitFor()],
  [
    'job-timeline',
    (data) => `/jobs/${data.done}?tab=timeline`,
    (page) =>
      Promise.all([
        page.getByRole('tabpanel').getByText('score').first().waitFor(),
        page
          .getByRole('tabpanel')
          .getByText(/^Log lines\s*[1-9]/)
          .first()
          .waitFor(),
        page.getByText('100%').or(page.getByText('no samples in this time range')).first().waitFor(),
      ]),
  ],
  [
    'job-logs',
    (data) => `/jobs/${data.done}?tab=logs`,
    (page) =>
      page
        .getByText(/scored a ticket/)
        .first()
        .waitFor(),
  ],
  ['job-metrics', (data) => `/jobs/${data.done}?tab=metrics`, (page) => page.locator('canvas').first().waitFor()],
  ['job-data', (data) => `/jobs/${data.done}?tab=data`, (page) => page.getByText('withinMinutes').first().waitFor()],
  [
    'job-task',
    (data) => `/jobs/${data.failed}?task=${data.task}`,
    (page) =>
      page
        .getByRole('dialog', { name: 'Task' })
        .getByText(/no article/)
        .first()
        .waitFor(),
  ],
  [
    'job-compare',
    ({ broken }) => `/jobs/${broken}?tab=compare`,
    (page) =>
      page
        .getByRole('note', { name: 'Main differences' })
        .getByText(/Check the order/)
        .first()
        .waitFor(),
  ],
  [
    'incident',
    () => '/incident',
    async (page, { broken }) => {
      const bundle = await page.request.get(
        new URL(pathTo('jobs.incidentBundle', { params: { jobId: broken } }), page.url()).href,
      );
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles({
          name: 'checkout.yardmaster-incident',
          mimeType: 'application/gzip',
          buffer: await bundle.body(),
        });
      await page.getByText('Incident bundle, read-only').waitFor();
      await page.getByText('not reached').first().waitFor();
    },
  ],
  [
    'jobs-bulk',
    () => '/jobs?status=FAILED',
    async (page) => {
      await page.getByRole('checkbox', { name: 'Select the rows in view' }).click();
      await page.getByRole('group', { name: 'Selected jobs' }).getByRole('button', { name: 'Retry' }).click();
      await page
        .getByRole('dialog')
        .getByText(/Only the jobs counted here are affected/)
        .first()
        .waitFor();
    },
  ],
  [
    'job-rerun',
    (data) => `/jobs/${data.failed}`,
    async (page) => {
      await page.getByRole('button', { name: 'Rerun…' }).click();
      await page.getByRole('dialog', { name: 'Rerun job' }).getByText('Edited').click();
      await page.getByRole('textbox', { name: 'Inputs' }).waitFor();
    },
  ],
  [
    'failures',
    () => '/failures',
    (page) =>
      page
        .getByRole('gridcell', { name: /no article/ })
        .first()
        .waitFor(),
  ],
  [
    'failure',
    () => '/failures',
    async (page) => {
      await page.getByRole('gridcell', { name: /no tariff for order.*checkout/ }).click();
      await page
        .getByRole('dialog', { name: 'Failure' })
        .getByText(/100% of failures had country = DE/)
        .first()
        .waitFor();
    },
  ],
  [
    'operations',
    () => '/operations',
    (page) =>
      page
        .getByRole('gridcell', { name: /killed/ })
        .first()
        .waitFor(),
  ],
  [
    'operation',
    () => '/operations',
    async (page) => {
      await page
        .getByRole('gridcell', { name: /killed/ })
        .first()
        .click();
      await page
        .getByRole('dialog', { name: 'Operation' })
        .getByRole('grid', { name: 'Results' })
        .getByText('Skipped')
        .first()
        .waitFor();
    },
  ],
  [
    'worker',
    () => '/workers',
    async (page) => {
      await page.getByRole('gridcell', { name: 'Operational' }).first().click();
      await page.getByRole('dialog', { name: 'Worker' }).getByRole('heading', { name: 'Active tasks' }).waitFor();
    },
  ],
  [
    'settings-secrets',
    () => '/settings?tab=secrets',
    (page) => page.getByRole('gridcell', { name: 'STRIPE_KEY', exact: true }).waitFor(),
  ],
  [
    'settings-limits',
    () => '/settings?tab=limits',
    (page) => page.getByRole('gridcell', { name: /^Job retention jobRetentionDays/ }).waitFor(),
  ],
  ['workers', () => '/workers', (page) => page.getByRole('gridcell', { name: 'Operational' }).first().waitFor()],
  [
    'logs',
    () => '/logs',
    (page) =>
      page
        .getByText(/scored a ticket/)
        .first()
        .waitFor(),
  ],
  [
    'alerts',
    () => '/alerts',
    (page) => page.getByText('No alerts firing').or(page.getByRole('gridcell')).first().waitFor(),
  ],
  [
    'alerts-rules',
    () => '/alerts?tab=rules',
    (page) => page.getByRole('gridcell', { name: 'Failure rate built-in' }).waitFor(),
  ],
  [
    'alerts-rule',
    () => '/alerts?tab=rules&rule=new',
    (page) =>
      page
        .getByRole('dialog', { name: 'Alert rule' })
        .getByText(/would not have fired|would have fired|returned no data/i)
        .waitFor(),
  ],
  [
    'alerts-channels',
    () => '/alerts?tab=channels',
    (page) => page.getByRole('gridcell', { name: /^Desktop built-in/ }).waitFor(),
  ],
  ['alerts-routing', () => '/alerts?tab=routing', (page) => page.getByRole('button', { name: 'Add route' }).waitFor()],
  [
    'logs-record',
    () => '/logs?columns=source&wrap=on',
    async (page) => {
      await page
        .getByText(/scored a ticket/)
        .first()
        .click();
      await page.getByRole('button', { name: 'Show context' }).first().waitFor();
      await page.keyboard.press('Control+f');
      await page.getByLabel('Find', { exact: true }).fill('ticket');
      await page
        .getByText(/^\d+ lines?$/)
        .first()
        .waitFor();
    },
  ],
  ['dashboards', () => '/dashboards', (page) => page.getByRole('gridcell', { name: /Job Monitoring/ }).waitFor()],
  [
    'dashboard',
    () => '/dashboards/job-monitoring',
    (page) =>
      Promise.all([
        page
          .getByRole('region', { name: 'Finished jobs', exact: true })
          .getByText(/^[1-9]\d*$/)
          .waitFor(),
        page.locator('canvas').nth(3).waitFor(),
      ]),
  ],
  [
    'dashboard-edit',
    () => '/dashboards/mine?edit=form',
    async (page) => {
      await page.getByRole('button', { name: 'Edit Finished jobs', exact: true }).click();
      await page.getByRole('complementary', { name: 'Panel settings' }).getByLabel('Measurement').waitFor();
      await page.locator('canvas').first().waitFor();
    },
  ],
  [
    'dashboard-json',
    () => '/dashboards/mine?edit=json',
    (page) => page.getByRole('textbox', { name: 'Definition of Mine' }).waitFor(),
  ],
  [
    'explore',
    () => '/dashboards/explore?measurement=job_metrics&field=timer_total_ms',
    (page) => page.locator('canvas').first().waitFor(),
  ],
  ['cluster-single', () => '/cluster', (page) => page.getByText('This master works alone').waitFor()],
  ['settings', () => '/settings', (page) => page.getByRole('heading', { name: 'Settings' }).waitFor()],
  [
    'fleet',
    () => '/fleet?q=triage',
    async (page) => {
      const found = page
        .getByRole('region')
        .getByRole('button', { name: /triage/ })
        .first();
      await searchUntilFound(page.getByRole('region'), found);
    },
  ],
  [
    'palette',
    () => '/jobs',
    async (page) => {
      await page.getByRole('heading', { name: 'Jobs' }).waitFor();
      await page.keyboard.press('ControlOrMeta+K');
      await page.getByRole('combobox', { name: 'Page, ID, workflow or action' }).fill('triage');
      await page.getByRole('option', { name: /Workflow ·/ }).waitFor();
    },
  ],
  [
    'commands',
    () => '/jobs?status=FAILED',
    async (page) => {
      await page.getByRole('button', { name: 'This page as a command' }).click();
      await page.getByText('Link to this page').waitFor();
    },
  ],
  [
    'help',
    () => '/logs',
    async (page) => {
      await page.getByRole('button', { name: 'Help for this page' }).click();
      await page.getByRole('dialog').getByRole('article').waitFor();
    },
  ],
  [
    'notifications',
    () => '/',
    async (page) => {
      await page.getByRole('button', { name: /^Notifications/ }).click();
      await page.getByRole('tab', { name: 'Preferences' }).click();
      await page.getByRole('switch', { name: 'Lost workers' }).waitFor();
    },
  ],
  [
    'tour',
    () => '/',
    async (page) => {
      await page.getByRole('button', { name: 'Take the tour' }).click();
      await page.getByRole('dialog', { name: 'The pages' }).waitFor();
    },
  ],
  [
    'schedules',
    ({ schedule }) => `/schedules?schedule=${schedule}`,
    (page) =>
      page.getByRole('dialog', { name: 'Schedule', exact: true }).getByText('Nothing has been due yet').waitFor(),
  ],
  ['not-found', () => '/nowhere', (page) => page.getByRole('heading').first().waitFor()],
];

/** Pictures that a test of a goal takes on its way. */
export const GOAL_PICTURES = ['approval-form', 'webhooks', 'workflow-coverage'];

/** Pictures of the desktop app, which its own tests take, in light. */
export const DESKTOP_PICTURES = ['desktop-fleet', 'desktop-production'] as const;
export type DesktopPicture = (typeof DESKTOP_PICTURES)[number];
