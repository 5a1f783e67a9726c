import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '../support/fixtures.ts';
import { PAGES } from '../support/pages.ts';
import { takePicture } from '../support/pictures.ts';
import { fillStage, type Stage } from '../support/stage.ts';

test.use({ file: import.meta.filename });

let stage: Stage;
test.beforeAll(async ({ master }) => {
  stage = await fillStage(master);
});

test.describe.configure({ mode: 'parallel' });
for (const [name, path, ready] of PAGES) {
  test(`${name}, light and dark: nothing serious for assistive technology`, async ({ visitor: { page, faults }, master }) => {
    faults.length = 0;
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.goto(`${master.url}${path(stage)}`);
    await ready(page, stage);
    await page.evaluate(() => document.fonts.ready);
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor();
      // Colours that fade from one theme to the other.
      await page.evaluate(() => Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished)));
      await takePicture(page, name, theme);
      const rules = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
      // A theme changes colours, nothing else.
      const { violations } = await (theme === 'light' ? rules.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']) : rules.withRules('color-contrast')).analyze();
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      expect(serious.map(({ id, help, nodes }) => `${theme}: ${id}: ${help}\n  ${nodes.map((node) => node.html).slice(0, 5).join('\n  ')}`)).toEqual([]);
    }
    expect(faults).toEqual([]);
  });
}
