import type { Page } from '@playwright/test';
import { publish } from '../support/master.ts';
import { expect, test } from '../support/test.ts';
import { greeter } from '../support/workflow-definitions.ts';

test.use({ group: 'steady-pages' });

/** Answers to `path` wait until the function that comes back is called. */
async function hold(page: Page, path: string): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route(`**${path}`, async (route) => {
    await gate.promise;
    await route.continue();
  });
  return () => gate.resolve();
}

test.afterEach(({ page }) => page.unrouteAll({ behavior: 'wait' }));

test('nothing on the overview moves when the proposal for retention comes', async ({ page, master }) => {
  const release = await hold(page, '/api/v1/settings');
  await page.goto(master.url);
  const published = page.getByRole('heading', { name: 'Recently published' });
  await expect(published).toBeVisible();
  const before = await published.boundingBox();
  release();
  await expect(page.getByRole('heading', { name: 'Retention' })).toBeVisible();
  expect(await published.boundingBox()).toEqual(before);
});

test('nothing on the overview moves when alerts come', async ({ page, master }) => {
  const firing = Promise.withResolvers<void>();
  await page.route('**/api/v1/alerts?*', async (route) => {
    await firing.promise;
    await route.fulfill({ json: { items: [1, 2, 3, 4].map(alert), page: { number: 0, size: 5 }, totalItems: 4 } });
  });
  await page.goto(master.url);
  const published = page.getByRole('heading', { name: 'Recently published' });
  await expect(published).toBeVisible();
  const before = await published.boundingBox();
  firing.resolve();
  await expect(page.getByRole('heading', { name: '4 alerts firing' })).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Worker 1 does not answer' })).not.toContainText(
    'worker_id',
  );
  // What two alerts of one summary differ in.
  await expect(page.getByRole('listitem').filter({ hasText: 'Worker 3 does not answer worker_id=4' })).toBeVisible();
  expect(await published.boundingBox()).toEqual(before);
});

test('the overview names alerts that are all suppressed', async ({ page, master }) => {
  await page.route('**/api/v1/alerts?*', (route) =>
    route.fulfill({
      json: {
        items: [],
        page: { number: 0, size: 1 },
        totalItems: new URL(route.request().url()).searchParams.get('heldBack') === 'true' ? 7 : 0,
      },
    }),
  );
  await page.goto(master.url);
  await expect(page.getByText('7 alerts firing, all suppressed')).toBeVisible();
  await expect(page.getByText('No alerts firing')).toHaveCount(0);
});

const alert = (number: number) => ({
  id: String(number),
  ruleName: 'Worker lost',
  labels: { worker_id: String(number) },
  annotations: { summary: `Worker ${Math.min(number, 3)} does not answer` },
  activeAt: '2026-01-01T00:00:00.000Z',
  startsAt: '2026-01-01T00:00:00.000Z',
  endsAt: null,
  acknowledged: null,
});

test('the canvas of the builder ends at the edge of the window, and nothing above it moves from tab to tab', async ({
  page,
  master,
}) => {
  await page.goto(`${master.url}/workflows/shout`);
  const main = page.getByRole('main');
  const archive = page.getByRole('button', { name: 'Archive' });
  await expect(page.locator('[data-canvas]')).toBeVisible();
  const right = (box: { x: number; width: number } | null) => (box === null ? null : box.x + box.width);
  expect(right(await page.locator('[data-canvas]').boundingBox())).toBe(right(await main.boundingBox()));
  const before = await archive.boundingBox();
  expect(right(await page.getByRole('button', { name: 'Save version' }).boundingBox())).toBe(right(before));
  await page.getByRole('tab', { name: 'Publish', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Publish to dev…' })).toBeVisible();
  expect(await archive.boundingBox()).toEqual(before);
});

test('nothing below the charts moves when what draws them comes', async ({ page, master }) => {
  for (const [path, below] of [
    ['/', page.getByRole('region', { name: 'Task events per minute (last hour)' })],
    ['/logs', page.getByText('No matching lines')],
  ] as const) {
    const drawing = Promise.withResolvers<void>();
    await page.route('**/assets/ChartCore-*.js', async (route) => {
      await drawing.promise;
      await route.continue();
    });
    const values = page.waitForResponse(/\/(metrics|logs\/hits)\?/);
    await page.goto(master.url + path, { waitUntil: 'commit' });
    await values;
    await expect(below).toBeVisible();
    const before = await below.boundingBox();
    drawing.resolve();
    await expect(page.getByRole('slider').first()).toBeVisible();
    expect(await below.boundingBox()).toEqual(before);
    await page.unrouteAll({ behavior: 'wait' });
  }
});

test('a list of jobs does not say that there are none while it is loading', async ({ page, master }) => {
  const release = await hold(page, '/api/v1/jobs?*');
  await page.goto(`${master.url}/jobs?q=nobody-has-this`);
  const list = page.getByRole('main');
  await expect(list.getByRole('status', { name: 'Loading' }).first()).toBeVisible();
  await expect(list.getByText('None', { exact: true })).toHaveCount(0);
  release();
  await expect(list.getByText('None', { exact: true })).toBeVisible();
});

test('the views of jobs stay where they are from one to the other', async ({ page, master }) => {
  await page.goto(`${master.url}/jobs`);
  const views = page.getByRole('navigation', { name: 'Job views' });
  await expect(page.getByRole('heading', { name: 'Jobs' })).toBeVisible();
  const before = await views.boundingBox();
  for (const name of ['Failures', 'Operations', 'All jobs']) {
    await views.getByRole('link', { name }).click();
    await expect(views.getByRole('link', { name })).toHaveAttribute('aria-current', 'page');
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    expect(await views.boundingBox()).toEqual(before);
  }
});

test('the header of a workflow keeps its height when its data comes', async ({ page, master }) => {
  for (const id of ['triage', 'shout']) {
    const release = await hold(page, `/api/v1/workflows/${id}`);
    await page.goto(`${master.url}/workflows/${id}?tab=publish`);
    const tabs = page.getByRole('tablist');
    await expect(tabs).toBeVisible();
    const before = await tabs.boundingBox();
    release();
    await expect(page.getByRole('button', { name: 'Archive' })).toBeVisible();
    expect(await tabs.boundingBox()).toEqual(before);
  }
});

test('the canvas of the builder stays where it is when the draft is run', async ({ page, master }) => {
  await page.goto(`${master.url}/workflows/shout`);
  const canvas = page.locator('[data-canvas]');
  await expect(canvas).toBeVisible();
  const before = await canvas.boundingBox();
  await page.getByRole('button', { name: 'Run draft' }).click();
  const outcome = page.getByRole('link', { name: 'View job' });
  await expect(page.getByRole('button', { name: 'Clear this run' })).toBeVisible();
  await expect(outcome).toBeVisible();
  expect(await canvas.boundingBox()).toEqual(before);
  // Nothing lies over it.
  await outcome.click({ trial: true });
  await page.getByRole('button', { name: 'Clear this run' }).click();
  await expect(outcome).toHaveCount(0);
});

test('what a job is compared with does not move when suggestions come', async ({ page, master }) => {
  const jobs: string[] = [];
  for (const content of ['a', 'b']) {
    const { headers } = await master.event('shout/dev', [{ content }]);
    jobs.push(headers.get('x-job-id') ?? '');
  }
  const release = await hold(page, '/api/v1/jobs?*');
  await page.goto(`${master.url}/jobs/${jobs[1]}?tab=compare`);
  const id = page.getByRole('textbox', { name: 'ID of another job' });
  const refresh = page.getByRole('button', { name: 'Refresh comparison' });
  await expect(refresh).toBeVisible();
  const before = [await id.boundingBox(), await refresh.boundingBox()];
  const waiting = await page.getByRole('group', { name: 'Compare with' }).boundingBox();
  release();
  await expect(page.getByRole('button', { name: 'Previous successful run' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Workers' })).toBeVisible();
  expect([await id.boundingBox(), await refresh.boundingBox()]).toEqual(before);
  expect(await page.getByRole('group', { name: 'Compare with' }).boundingBox()).toEqual(waiting);
});

test('the dialog to publish is not covered by the message of what was saved', async ({ page, master }) => {
  await publish(master, 'just-saved', greeter);
  await page.goto(`${master.url}/workflows/just-saved`);
  await page.getByText('JSON', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Definition of just-saved' }).click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type(' ');
  await page.getByRole('button', { name: /^Save version/ }).click();
  await page.getByLabel('Version message').fill('Again');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(/Saved version/)).toBeVisible();
  await page.getByRole('tab', { name: 'Publish', exact: true }).click();
  await page.getByRole('button', { name: 'Publish to dev…' }).click();
  await expect(page.getByRole('dialog', { name: 'Publish just-saved to dev' })).toBeVisible();
  await expect(page.getByText(/Saved version/)).toHaveCount(0, { timeout: 3000 });
});

for (const language of ['en', 'de'] as const)
  test(`rows of jobs stay where they are when one is selected (${language})`, async ({ page, master }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${master.url}/healthz`);
    await page.evaluate(
      (chosen) => localStorage.setItem('yardmaster.preferences', JSON.stringify({ language: chosen })),
      language,
    );
    await master.event('shout/dev', [{ content: 'hello' }]);
    await page.goto(`${master.url}/jobs`);
    const row = page.getByRole('grid', { name: 'Jobs' }).getByRole('row').nth(1);
    await row.waitFor();
    const before = await row.boundingBox();
    await row.getByRole('checkbox').click();
    await expect(page.getByRole('group', { name: /Selected jobs|Ausgewählte Jobs/ })).toBeVisible();
    expect(await row.boundingBox()).toEqual(before);
  });
