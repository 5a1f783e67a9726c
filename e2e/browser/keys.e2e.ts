import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.ts';

/** Whoever has no pointer comes to an element by Tab alone. */
async function tabTo(page: Page, name: string | RegExp, role: Parameters<Page['getByRole']>[0] = 'button'): Promise<void> {
  const wanted = page.getByRole(role, { name, ...(typeof name === 'string' ? { exact: true } : {}) }).first();
  await wanted.waitFor();
  for (let i = 0; i < 80; i++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${role} ${name}`);
}
const press = async (page: Page, name: string | RegExp) => {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
};

test('an admin makes a token and revokes it by keys alone: what is taken away leaves the focus where it was', async ({ page, master }) => {
  await page.goto(`${master.url}/settings?tab=tokens`);
  await press(page, 'New token');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('by-keys');
  await page.keyboard.press('Enter');
  // The token took the place of the form; it is read once, and goes by its button alone.
  const kept = page.getByRole('button', { name: 'I have copied it' });
  await expect(kept).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(kept).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'New token' })).toBeFocused();

  await press(page, 'Revoke by-keys');
  await expect(page.getByRole('button', { name: 'Revoke 1 token' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Revoke by-keys' })).toHaveCount(0);
  await expect(page.getByRole('grid', { name: 'Tokens' })).toBeFocused();
});

test('what a message offers is one key away, and so is the way back', async ({ page, master }) => {
  await master.api('/api/v1/settings', { method: 'PATCH', body: JSON.stringify({ jobRetentionDays: 30 }) });
  await page.goto(`${master.url}/settings?tab=limits`);
  const override = async () => (await master.api<{ settings: { name: string; override: unknown }[] }>('/api/v1/settings')).settings.find(({ name }) => name === 'jobRetentionDays')?.override;
  // The button goes with what it undoes.
  await press(page, 'Back to the default: Job retention');
  const table = page.getByRole('grid', { name: 'Limits and retention' });
  await expect(table).toBeFocused();
  expect(await override()).toBeNull();
  await page.keyboard.press('F8');
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('F8');
  await expect(table).toBeFocused();
  await page.keyboard.press('F8');
  await page.keyboard.press('Enter');
  await expect.poll(override).toBe(30);
  await expect(table).toBeFocused();
});

test('a button that has the focus keeps it when it cannot be pressed any more', async ({ page, master }) => {
  await page.goto(`${master.url}/settings?tab=tokens&size=1`);
  await expect(page.getByText('1–1 of 2')).toBeVisible();
  await press(page, 'Next page');
  await expect(page.getByText('2–2 of 2')).toBeVisible();
  const next = page.getByRole('button', { name: 'Next page' });
  await expect(next).toBeFocused();
  await expect(next).toBeDisabled();
  await page.keyboard.press('Enter');
  await expect(page.getByText('2–2 of 2')).toBeVisible();
  // Once it is left, it is no stop of Tab.
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: 'Previous page' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(next).not.toBeFocused();
});

test('the routing that is being written outlives an alert, and its own saving', async ({ page, master }) => {
  await page.goto(`${master.url}/alerts?tab=routing`);
  const wait = page.getByRole('textbox', { name: 'First message after' });
  await tabTo(page, 'First message after', 'textbox');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('45s');
  // An alert fires: all that is known of alerts is read again.
  const read = page.waitForResponse((answer) => answer.url().endsWith('/api/v1/alerts/policy') && answer.request().method() === 'GET');
  const { id } = await master.api<{ id: string }>('/api/v1/alerts/rules', { method: 'POST', body: JSON.stringify({ name: 'Tasks run', query: { source: 'metrics', measurement: 'task_metrics', field: 'counter_run_count', aggregate: 'sum', groupBy: [], filters: {} }, threshold: { op: 'gt', value: 0 }, intervalSeconds: 1, forSeconds: 0, severity: 'info' }) });
  await master.event('shout/dev', [{ content: 'hello' }]);
  await read;
  await expect(wait).toHaveValue('45s');
  await expect(wait).toBeFocused();
  await press(page, 'Add a route');
  await press(page, 'Remove route 1');
  await expect(page.getByRole('group', { name: 'Routes' })).toBeFocused();
  await press(page, 'Save the routing');
  await expect(page.getByText('The routing is in force')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save the routing' })).toBeFocused();
  expect((await master.api<{ groupWaitSeconds: number }>('/api/v1/alerts/policy')).groupWaitSeconds).toBe(45);
  await master.api(`/api/v1/alerts/rules/${id}`, { method: 'DELETE' });
});
