import { lookInBothThemes } from '../support/both-themes.ts';
import { expect, test } from '../support/test.ts';
import { openPage } from '../support/open-page.ts';
import { PAGES } from '../support/pages.ts';
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
    await lookInBothThemes(page, name);
    expect(faults).toEqual([]);
  });
}
