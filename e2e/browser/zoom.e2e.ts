import { expect, test } from '../support/test.ts';
import { openPage } from '../support/open-page.ts';
import { lostInSmallWindows, wideTables } from '../support/small-windows.ts';

test.use({ group: 'looks' });

const PATHS = [
  '/',
  '/workflows',
  '/workflows/triage',
  '/workflows/triage?tab=versions',
  '/workflows/triage?tab=publish',
  '/workflows/triage?tab=try',
  '/jobs',
  '/failures',
  '/operations',
  '/workers',
  '/logs',
  '/alerts?tab=rules',
  '/alerts?tab=routing',
  '/dashboards',
  '/dashboards/cluster-overview',
  '/settings?tab=appearance',
  '/settings?tab=limits',
  '/settings?tab=pipeline',
  '/nowhere',
];

test('nothing is out of reach in a small window or at 200 % zoom', async ({ page, master }) => {
  test.slow();
  const lost: string[] = [];
  for (const path of PATHS) {
    await openPage(page, `${master.url}${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    lost.push(...(await lostInSmallWindows(page, path)));
  }
  expect(lost).toEqual([]);
});

const TABLES = [
  '/workflows',
  '/workflows/triage?tab=versions',
  '/workflows/triage?tab=publish',
  '/workflows/triage?tab=keys',
  '/jobs',
  '/failures',
  '/operations',
  '/workers',
  '/fleet',
  '/alerts?tab=rules',
  '/alerts?tab=silences',
  '/alerts?tab=channels',
  '/alerts?tab=history',
  '/dashboards',
  '/settings?tab=keys',
  '/settings?tab=tokens',
  '/settings?tab=secrets',
  '/settings?tab=limits',
  '/settings?tab=audit',
];

for (const language of ['en', 'de'] as const) {
  test(`every table fits into a window of 1280 pixels (${language})`, async ({ page, master }) => {
    test.slow();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${master.url}/healthz`);
    await page.evaluate(
      (chosen) => localStorage.setItem('yardmaster.preferences', JSON.stringify({ language: chosen })),
      language,
    );
    const wide: string[] = [];
    await page.goto(`${master.url}/`);
    for (const path of TABLES) {
      await openPage(page, `${master.url}${path}`);
      await page.getByRole('grid').first().waitFor();
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
      wide.push(...(await wideTables(page)).map((what) => `${path}: ${what}`));
    }
    expect(wide).toEqual([]);
  });
}
