import { join } from 'node:path';
import { checkBackup } from '../../src/lib/backup-file.ts';
import { expect, test } from '../support/test.ts';
import { openPage } from '../support/open-page.ts';
import { forget, temporaryFolder } from '../support/master.ts';

test('an administrator takes a backup from the settings, and reads how to restore it', async ({ page, master }) => {
  const folder = temporaryFolder('backup');
  try {
    await page.goto(`${master.url}/settings`);
    const section = page.getByRole('region', { name: 'Backup' });
    const arrives = page.waitForEvent('download');
    await section.getByRole('button', { name: 'Back up now' }).click();
    const download = await arrives;
    const file = join(folder, 'one.backup');
    await download.saveAs(file);
    const { header } = await checkBackup(file);
    expect(header.counts.workflows).toBeGreaterThan(0);
    const name = download.suggestedFilename();
    expect(name).toMatch(/^yardmaster-[\d-]{19}\.backup$/);
    await expect(section.getByText(`yardmaster restore ${name} --data NEW-FOLDER`)).toBeVisible();
    await expect(section.getByText(/ago by|now by/)).toBeVisible();
    await expect(section.getByText(/\d (KiB|MiB)/)).toBeVisible();

    // What went wrong is said, with what the master knows of it, and it can be tried again.
    const detail =
      'could not copy the database (database or disk is full): the copy needs up to 9.1 MB in /data/backups, and 0.2 MB are free';
    await page.route('**/api/v1/backup/prepared', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          type: 'about:blank',
          title: 'The backup failed',
          status: 503,
          code: 'BACKUP_FAILED',
          detail,
          instance: '',
        }),
      }),
    );
    await section.getByRole('button', { name: 'Back up now' }).click();
    await expect(section.getByText(detail)).toBeVisible();
    await page.unroute('**/api/v1/backup/prepared');
    const again = page.waitForEvent('download');
    await section.getByRole('button', { name: 'Try again' }).click();
    await again;
    await expect(section.getByText(detail)).toHaveCount(0);

    await page.context().clearCookies();
    const { token } = await master.call('tokens.create', { body: { name: 'onlooker', role: 'operator' } });
    expect((await page.request.post(`${master.url}/api/v1/session`, { data: { token } })).status()).toBe(204);
    await openPage(page, `${master.url}/settings`);
    await page.reload();
    await expect(section.getByRole('button', { name: 'Back up now' })).toHaveAttribute('aria-disabled', 'true');
  } finally {
    await page.context().clearCookies();
    await page.request.post(`${master.url}/api/v1/session`, { data: { token: master.token } });
    forget(folder);
  }
});
