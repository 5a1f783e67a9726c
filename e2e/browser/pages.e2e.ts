import { violationsOf } from '../support/axe.ts';
import { expect, test } from '../support/fixtures.ts';
import { go } from '../support/go.ts';
import { expectLayout } from '../support/layout.ts';
import { PAGES } from '../support/pages.ts';
import { takePicture } from '../support/pictures.ts';
import { fillStage, type Stage } from '../support/stage.ts';

test.use({ group: 'looks' });

let stage: Stage;
test.beforeAll(async ({ master }) => {
  stage = await fillStage(master);
});

for (const [name, path, ready] of PAGES) {
  test(`${name}, light and dark: nothing serious for assistive technology`, async ({
    visitor: { page, faults },
    master,
  }) => {
    faults.length = 0;
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await go(page, `${master.url}${path(stage)}`);
    await ready(page, stage);
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
