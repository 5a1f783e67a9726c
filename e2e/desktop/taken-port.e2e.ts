import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { callShell, launchDesktop, type Desktop } from '../support/desktop.ts';
import { lastingPort, temporaryFolder } from '../support/master.ts';

let other: Server | undefined;
let desktop: Desktop | undefined;
test.afterAll(async () => {
  await desktop?.app.close();
  other?.close();
});

test('where another program has the port, one chooses another one, and the console opens; it can be changed back', async () => {
  const port = await lastingPort();
  other = createServer().listen(port, '127.0.0.1');
  await once(other, 'listening');
  const settings = temporaryFolder('settings');
  const preferences = join(settings, 'preferences.json');
  writeFileSync(preferences, JSON.stringify({ masterPort: port }));
  desktop = await launchDesktop(temporaryFolder('data'), settings, ['--logstash-port', '0']);
  const { page } = desktop;

  const notice = page.getByRole('alert').filter({ hasText: `Port ${port} is in use by` });
  await expect(notice).toContainText('the address of the master changes');
  const field = notice.getByRole('textbox', { name: 'New port: API and console' });
  await expect(field).not.toHaveValue('');
  const proposed = Number(await field.inputValue());
  expect(proposed).not.toBe(port);
  await notice.getByRole('button', { name: 'Use this port and start' }).click();

  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await expect(notice).toBeHidden();
  const listensOn = async () => (await callShell(page, 'local:status', null)).ports?.master;
  expect(await listensOn()).toBe(proposed);
  expect(JSON.parse(readFileSync(preferences, 'utf8'))).toMatchObject({ masterPort: proposed });

  other.close();
  await once(other, 'close');
  await page.getByRole('link', { name: 'Settings' }).click();
  const form = page.getByRole('form', { name: 'Ports' });
  await expect(form.getByRole('textbox', { name: 'Log pipeline' })).toBeDisabled();
  await expect(form).toContainText('Set by --logstash-port 0');
  await form.getByRole('textbox', { name: 'API and console' }).fill(String(port));
  await form.getByRole('button', { name: 'Save ports' }).click();
  await form.getByRole('button', { name: 'Restart now' }).click();
  await expect(form.getByRole('button', { name: 'Restart now' })).toBeHidden();
  await expect.poll(listensOn).toBe(port);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
});
