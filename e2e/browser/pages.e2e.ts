import { violationsOf } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';
import { openPage } from '../support/open-page.ts';
import { expectLayout } from '../support/page-layout.ts';
import { PAGES } from '../support/pages.ts';
import { takePicture } from '../support/screenshots.ts';
import { createSampleData, type SampleData } from '../support/sample-data.ts';

test.use({ group: 'looks' });

let data: SampleData;
test.beforeAll(async ({ master }) => {
  data = await createSampleData(master);
});

for (const [name, path, ready] of PAGES) {
  test(`${name}, light and dark: nothing serious for assistive technology`, async ({
    visitor: { page, faults },
    master,
  }) => {
    faults.length = 0;
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await openPage(page, `${master.url}${path(data)}`);
    await ready(page, data);
    await page.evaluate(() => document.fonts.ready);
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
    expect(faults).toEqual([]);
  });
}
