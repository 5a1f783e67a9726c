import { expect, type Locator } from '@playwright/test';

/**
 * Waits for what a search of the fleet finds. The console gives each master five seconds: one that needs longer, on a
 * machine with too much to do, is asked again by the button that is there for it.
 */
export async function searchUntilFound(results: Locator, found: Locator): Promise<void> {
  const again = results.getByRole('button', { name: /^(Try again|Erneut versuchen)$/ });
  await expect(async () => {
    // Without waiting for it: it goes when the master answers.
    await again.evaluateAll((buttons) => {
      for (const button of buttons) if (button instanceof HTMLElement) button.click();
    });
    await expect(found).toBeVisible({ timeout: 6000 });
  }).toPass();
}
