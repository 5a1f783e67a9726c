import type { Page } from '@playwright/test';
import type { Cluster } from '../../src/contract/cluster.ts';
import { MASTER_IDS, threeMasters } from '../../src/lib/cluster.fixture.ts';
import { violationsOf } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';
import { takePicture } from '../support/screenshots.ts';

const [A, B, C] = MASTER_IDS;
/** The masters as they stand now: the times of the fixture, moved to the present. */
function now(over: Partial<Cluster> = {}): Cluster {
  const shift = Date.now() - Date.parse('2026-01-01T12:00:00.000Z');
  return JSON.parse(
    JSON.stringify(threeMasters(over)).replaceAll(/2026-01-01T[\d:.]+Z/g, (at) =>
      new Date(Date.parse(at) + shift).toISOString(),
    ),
  );
}

/** A cluster of three in the place of the one master; what is handed over to is noted. */
async function pretend(page: Page) {
  const cluster = { answer: now(), handedTo: [] as unknown[] };
  await page.route('**/api/v1/cluster', (route) => route.fulfill({ json: cluster.answer }));
  await page.route('**/api/v1/cluster/handover', (route) => {
    cluster.handedTo.push(route.request().postDataJSON());
    return route.fulfill({ status: 202, json: { to: C } });
  });
  return cluster;
}

test('an admin sees who owns the state and hands it over; the console says when another master took over', async ({
  page,
  master,
}) => {
  const cluster = await pretend(page);
  await page.goto(`${master.url}/jobs`);
  const status = page.getByRole('contentinfo', { name: 'Status' });
  await expect(status.getByRole('link', { name: '1 owner, 2 standbys, lag 210 ms' })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await expect(page).toHaveURL(/\/cluster$/);
  const masters = page.getByRole('grid', { name: 'Masters' });
  await expect(masters.getByRole('row', { name: /master-a.*Owner/ })).toBeVisible();
  await expect(masters.getByRole('row', { name: /master-c.*Standby.*210 ms/ })).toBeVisible();
  await expect(page.getByText('Epoch 7, owned by 6c0d1e2a (https://master-a.example.org:8700)')).toBeVisible();
  await expect(page.getByRole('grid', { name: 'Failovers' }).getByRole('row', { name: /owner gone/ })).toBeVisible();
  expect(await violationsOf(page, { within: 'main' })).toEqual([]);

  // The general one goes to the standby with the least lag, the one of a row to that one; both say whom.
  await page.getByRole('button', { name: 'Hand over…' }).click();
  await expect(page.getByRole('dialog', { name: 'Hand over to 5e0f4b63?' })).toContainText('master-b.example.org');
  await page.keyboard.press('Escape');
  await masters
    .getByRole('row', { name: /master-c/ })
    .getByRole('button', { name: 'Hand over' })
    .click();
  await page.getByRole('dialog', { name: 'Hand over to 90be77d1?' }).getByRole('button', { name: 'Hand over' }).click();
  await expect.poll(() => cluster.handedTo).toEqual([{ to: C }]);

  const was = now();
  cluster.answer = now({
    partitions: [{ id: 0, epoch: 8, owner: C, seq: 184_300 }],
    masters: was.masters.map((one) => ({
      ...one,
      role: one.id === C ? 'owner' : 'standby',
      lagMs: one.id === B ? 6000 : 0,
    })),
    failovers: [
      { at: new Date().toISOString(), from: A, to: C, reason: 'handover', epoch: 8, gapMs: 310 },
      ...was.failovers,
    ],
  });
  const notice = page.getByText('6c0d1e2a handed over to 90be77d1');
  await expect(notice).toBeVisible();
  await expect(page.getByText('handover, 310 ms without an owner')).toBeVisible();
  await expect(status.getByRole('link', { name: '1 owner, 2 standbys, lag 6 s' })).toBeVisible();
  await expect(masters.getByRole('row', { name: /master-c.*Owner/ })).toBeVisible();
});

test('while nobody owns the state the page waits, and goes on by itself without a word of failure', async ({
  page,
  master,
}) => {
  const cluster = await pretend(page);
  await page.goto(`${master.url}/workers`);
  await expect(page.getByRole('gridcell', { name: 'Operational' }).first()).toBeVisible();
  let refused = 0;
  await page.route('**/api/v1/**', (route) => {
    const hasOwner = cluster.answer.partitions[0]?.owner !== null;
    if (hasOwner || route.request().url().endsWith('/cluster')) return route.fallback();
    refused++;
    return route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      headers: { 'retry-after': '1' },
      body: JSON.stringify({ status: 503, code: 'NO_OWNER', title: 'No master owns the state' }),
    });
  });
  cluster.answer = now({ partitions: [{ id: 0, epoch: 7, owner: null, seq: 184_220 }] });
  await page.getByRole('link', { name: 'Jobs', exact: true }).click();
  await expect(page.getByRole('link', { name: /^no owner/ })).toBeVisible();
  await expect(page.getByRole('grid', { name: 'Jobs' })).toBeVisible();
  await expect.poll(() => refused).toBeGreaterThan(1);
  cluster.answer = now();
  await expect(page.getByText(/No jobs|of \d+|\d+ jobs?/).first()).toBeVisible();
  expect(await page.getByRole('main').getByRole('alert').count()).toBe(0);
  await expect(page.getByText(/^Offline since/)).toBeHidden();
});

for (const [width, height] of [
  [1280, 800],
  [1920, 1080],
] as const)
  test(`the page fits a window of ${width} × ${height}`, async ({ page, master }) => {
    await pretend(page);
    await page.setViewportSize({ width, height });
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await page.goto(`${master.url}/cluster`);
      await expect(page.getByRole('grid', { name: 'Failovers' }).getByText('first start')).toBeVisible();
      await takePicture(page, `cluster-${width}`, theme);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });
