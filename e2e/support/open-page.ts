import { expect, type Page } from '@playwright/test';

/**
 * Opens an address of the console as a click on a link does, where the page shows the console already: to load all of it
 * anew takes longer than to look at it. It goes by way of a page that keeps nothing, so that the next one begins as new.
 */
export async function openPage(page: Page, url: string): Promise<void> {
  const { origin } = new URL(url);
  if (page.url().startsWith(`${origin}/`) && (await page.getByRole('main').count()) > 0 && (await isClear(page))) {
    await page.evaluate(() => history.pushState(null, '', '/nowhere'));
    await page.getByRole('main').getByText('/nowhere', { exact: true }).waitFor();
    await page.mouse.move(0, 0);
    return page.evaluate((to) => history.pushState(null, '', to), url.slice(origin.length));
  }
  await page.goto(url);
}

/** What lies over a page may outlive it: it is closed, as a person closes it. */
async function isClear(page: Page): Promise<boolean> {
  const over = page.getByRole('dialog');
  for (let open = await over.count(); open > 0; open = await over.count()) {
    await page.keyboard.press('Escape');
    const closed = await expect
      .poll(() => over.count(), { timeout: 2000, intervals: [20, 50, 100] })
      .toBeLessThan(open)
      .then(
        () => true,
        () => false,
      );
    if (!closed) return false;
  }
  return true;
}
