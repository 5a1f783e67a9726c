import { expect, test } from '../support/test.ts';

test('a worker is drained and resumed where the operator is: the table stays, and so does the focus', async ({
  page,
  master,
}) => {
  // So narrow that not all columns fit: what can be done to a worker stays in sight at the right.
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${master.url}/workers`);
  const drain = page.getByRole('button', { name: 'Drain' }).first();
  await expect(drain).toBeVisible();
  const scrolled = () =>
    page
      .getByRole('grid', { name: 'Workers' })
      .evaluate((grid) =>
        [...grid.querySelectorAll('*'), grid].map((one) => one.scrollLeft).filter((left) => left > 0),
      );
  const { x, y, width, height } = (await drain.boundingBox()) as {
    x: number;
    y: number;
    width: number;
    height: number;
  };
  await page.mouse.click(x + width / 2, y + height / 2);
  const resume = page.getByRole('button', { name: 'Resume' });
  await expect(resume).toBeFocused();
  expect(await scrolled()).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(resume).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Drain' }).first()).toBeFocused();
  expect(await scrolled()).toEqual([]);
});
