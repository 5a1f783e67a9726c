import type { Page } from '@playwright/test';
import { lookInBothThemes } from '../support/both-themes.ts';
import { englishOn } from '../support/german-words.ts';
import type { TestMaster } from '../support/master.ts';
import { openPage } from '../support/open-page.ts';
import { lostInSmallWindows, wideTables } from '../support/small-windows.ts';
import { createTeam, PASSWORD, type TeamData } from '../support/team-data.ts';
import { TEAM_PAGES } from '../support/team-pages.ts';
import { expect, test } from '../support/test.ts';

// People and projects are there for the whole master.
test.use({ group: 'team' });

let data: TeamData;
test.beforeAll(async ({ master }) => {
  data = await createTeam(master);
});

async function signIn(page: Page, master: TestMaster, language: 'en' | 'de' = 'en'): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 });
  const answer = await page.request.post(`${master.url}/api/v1/session/password`, {
    data: { login: data.admin, password: PASSWORD },
  });
  expect(answer.status(), await answer.text()).toBe(204);
  await page.goto(`${master.url}/healthz`);
  await page.evaluate(
    (chosen) => localStorage.setItem('yardmaster.preferences', JSON.stringify({ language: chosen })),
    language,
  );
  await page.goto(`${master.url}/`);
}

const settled = (page: Page) => expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);

test('the pages of a team, light and dark: nothing serious for assistive technology', async ({ page, master }) => {
  test.slow();
  await signIn(page, master);
  for (const [name, path, ready] of TEAM_PAGES)
    await test.step(name, async () => {
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      await openPage(page, master.url + path(data));
      await ready(page);
      await lookInBothThemes(page, name);
    });
});

test('the pages of a team fit into small windows, and at 200 % zoom', async ({ page, master }) => {
  test.slow();
  await signIn(page, master);
  const lost: string[] = [];
  for (const [name, path, ready] of TEAM_PAGES) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await openPage(page, master.url + path(data));
    await ready(page);
    await settled(page);
    lost.push(...(await lostInSmallWindows(page, name)));
  }
  expect(lost).toEqual([]);
});

for (const language of ['en', 'de'] as const)
  test(`the pages of a team fit into 1280 pixels, and say nothing in another language (${language})`, async ({
    page,
    master,
  }) => {
    test.slow();
    await signIn(page, master, language);
    const faults: string[] = [];
    for (const [name, path, ready] of TEAM_PAGES) {
      await openPage(page, master.url + path(data));
      await ready(page);
      await settled(page);
      faults.push(...(await wideTables(page)).map((what) => `${name}: a table is ${what} wide`));
      if (language === 'de') faults.push(...(await englishOn(page)).map((text) => `${name}: ${text}`));
      const lines = await page.evaluate(
        () =>
          new Set([...document.querySelectorAll('main [role=tab]')].map((tab) => tab.getBoundingClientRect().top)).size,
      );
      if (lines > 1) faults.push(`${name}: the tabs take ${lines} lines`);
    }
    expect(faults).toEqual([]);
  });

test('an account is made, and its password reset, by keys alone; the focus comes back to where it was', async ({
  page,
  master,
}) => {
  await signIn(page, master);
  await openPage(page, `${master.url}/settings?tab=people`);
  const add = page.getByRole('button', { name: 'New account' });
  await add.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Sign-in name' })).toBeFocused();
  await page.keyboard.type('zoe');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'One-time password' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'I have copied it' })).toBeFocused();
  // A secret is not lost by a key that was meant for something else.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(add).toBeFocused();

  const reset = page.getByRole('button', { name: 'Reset the password of zoe' });
  await reset.press('Enter');
  await expect(page.getByRole('button', { name: 'Make a one-time password' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'I have copied it' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(reset).toBeFocused();

  await openPage(page, `${master.url}/settings?tab=projects`);
  const project = page.getByRole('button', { name: 'New project' });
  await project.press('Enter');
  await page.getByRole('dialog').getByRole('combobox', { name: 'Masked fields' }).focus();
  await page.keyboard.press('Escape');
  await expect(project).toBeFocused();
});
