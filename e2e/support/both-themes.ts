import { expect, type Page } from '@playwright/test';
import { violationsOf } from './accessibility.ts';
import { expectLayout } from './page-layout.ts';
import { takePicture } from './screenshots.ts';

/** What is drawn, in light and in dark: pictures, its layout, and nothing serious for assistive technology. */
export async function lookInBothThemes(page: Page, name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor();
    // Colours that fade from one theme to the other.
    await page.evaluate(async () => {
      const fading = () =>
        document.getAnimations().filter((one) => one instanceof CSSTransition && one.playState === 'running');
      // What takes its colour from its parent begins to fade once that one has.
      for (let still = 0, round = 0; still < 3 && round < 60; round++) {
        await Promise.allSettled(fading().map((one) => one.finished));
        await new Promise(requestAnimationFrame);
        still = fading().length === 0 ? still + 1 : 0;
      }
    });
    await takePicture(page, name, theme);
    await expectLayout(page, name);
    // A theme changes colours, nothing else.
    const serious = (await violationsOf(page, { colours: theme === 'dark' })).filter(
      ({ impact }) => impact === 'serious' || impact === 'critical',
    );
    expect(serious.map(({ id, help, html }) => `${theme}: ${id}: ${help}\n  ${html.join('\n  ')}`)).toEqual([]);
  }
}
