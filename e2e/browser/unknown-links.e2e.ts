import { expect, test } from '../support/test.ts';

test('a link with words that this console does not know opens the page without them', async ({ page, master }) => {
  for (const [address, title] of [
    ['/settings?tab=later', 'Settings'],
    ['/alerts?tab=later', 'Alerts'],
    ['/jobs?created=later&sort=later,asc&env=later', 'Jobs'],
    ['/logs?range=later', 'Logs'],
    ['/failures?status=later', 'Failures'],
    ['/workers?state=later', 'Workers'],
  ] as const) {
    await page.goto(master.url + address);
    await expect(page.getByRole('main').getByRole('heading', { level: 1, name: title })).toBeVisible();
    const drawn = page.getByRole('tab', { selected: true }).or(page.getByRole('grid'));
    // A new master has logged nothing yet.
    await expect(drawn.or(page.getByText('No matching lines')).first()).toBeVisible();
    await expect(page.getByText(/could not be/)).toHaveCount(0);
  }
});
