import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { CDPSession, Page } from '@playwright/test';
import { CLI, forget, NODE, temporaryFolder } from '../support/master.ts';
import { expect, test } from '../support/test.ts';

/** A device that keeps passkeys and knows its owner, as Chromium makes one up. */
async function addAuthenticator(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  return { cdp, authenticatorId };
}

const createUser = (page: Page, body: object): Promise<{ password?: string }> =>
  page.evaluate(
    async (json) =>
      (
        await fetch('/api/v1/users', { method: 'POST', headers: { 'content-type': 'application/json' }, body: json })
      ).json() as Promise<{ password?: string }>,
    JSON.stringify(body),
  );

async function signOut(page: Page, login: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^Account: ${login}`) }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to Yardmaster' })).toBeVisible();
}

test('people sign in with passkeys, beside a password or without one', async ({ systemBrowser }) => {
  const data = temporaryFolder('data');
  const ports = ['--port', '0', '--metrics-port', '0', '--logstash-port', '0'];
  const master = spawn(NODE, [CLI, 'master', ...ports, '--data', data, '--workers', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let link = '';
    for await (const text of createInterface({ input: master.stdout })) {
      link = /http\S+#sign-in=\S+/.exec(text)?.[0] ?? '';
      if (link) break;
    }
    // Passkeys are for a name.
    link = link.replace('127.0.0.1', 'localhost');
    const { origin } = new URL(link);
    const admin = await (await systemBrowser.newContext()).newPage();
    await admin.goto(link);
    await expect(admin.getByRole('heading', { name: 'Overview' })).toBeVisible();
    const { password = '' } = await createUser(admin, { login: 'pia', name: 'Pia P.', role: 'viewer' });
    await createUser(admin, { login: 'ann', name: 'Ann A.', role: 'viewer', password: 'some words in a row' });

    // With a one-time password: a passkey takes its place.
    const pia = await (await systemBrowser.newContext()).newPage();
    await addAuthenticator(pia);
    await pia.goto(`${origin}/jobs`);
    await expect(pia.getByRole('button', { name: 'Sign in with a passkey' })).toHaveCount(0);
    await pia.getByLabel('Sign-in name').fill('pia');
    await pia.getByLabel(/^Password/).fill(password);
    await pia.getByRole('button', { name: 'Sign in', exact: true }).click();
    await pia.getByRole('button', { name: 'Make a passkey instead of a password' }).click();
    await expect(pia.getByRole('heading', { name: 'Jobs' })).toBeVisible();
    await signOut(pia, 'pia');
    await pia.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await expect(pia.getByRole('heading', { name: 'Jobs' })).toBeVisible();
    await pia.goto(`${origin}/settings?tab=account`);
    const own = pia.getByRole('region', { name: 'Passkeys' });
    await expect(own.getByText('localhost', { exact: true })).toBeVisible();
    await expect(pia.getByRole('button', { name: 'Change password' })).toHaveCount(0);
    await own.getByRole('button', { name: /^Remove / }).click();
    await pia.getByRole('button', { name: 'Remove 1 passkey' }).click();
    await expect(pia.getByText('(LAST_WAY_IN)')).toBeVisible();

    // Beside a password, which is asked for once more.
    const ann = await (await systemBrowser.newContext()).newPage();
    const device = await addAuthenticator(ann);
    await ann.goto(`${origin}/settings?tab=account`);
    await ann.getByLabel('Sign-in name').fill('ann');
    await ann.getByLabel(/^Password/).fill('some words in a row');
    await ann.getByRole('button', { name: 'Sign in', exact: true }).click();
    await ann.getByRole('button', { name: 'Add a passkey' }).click();
    const dialog = ann.getByRole('dialog');
    await dialog.getByLabel(/^Name/).fill('Phone');
    await dialog.getByLabel(/^Current password/).fill('not it');
    await dialog.getByRole('button', { name: 'Add a passkey' }).click();
    await expect(dialog.getByText('the present password is wrong')).toBeVisible();
    await dialog.getByLabel(/^Current password/).fill('some words in a row');
    await dialog.getByRole('button', { name: 'Add a passkey' }).click();
    const table = ann.getByRole('region', { name: 'Passkeys' });
    await expect(table.getByText('Phone')).toBeVisible();
    await table.getByRole('button', { name: 'Rename Phone' }).click();
    await ann.getByRole('dialog').getByLabel(/^Name/).fill('Old phone');
    await ann.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect(table.getByText('Old phone')).toBeVisible();
    // The same device has one already; the passkey itself confirms who it is.
    await ann.getByRole('button', { name: 'Add a passkey' }).click();
    await ann.getByRole('dialog').getByRole('button', { name: 'Confirm with a passkey' }).click();
    await expect(ann.getByText('This device or security key has a passkey of yours already.')).toBeVisible();
    await ann.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

    // A copy of it, which lags behind.
    await signOut(ann, 'ann');
    const { credentials } = await device.cdp.send('WebAuthn.getCredentials', device);
    await ann.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await expect(ann.getByRole('heading', { name: 'Settings' })).toBeVisible();
    await signOut(ann, 'ann');
    await device.cdp.send('WebAuthn.clearCredentials', device);
    const [kept] = credentials;
    if (!kept) throw new Error('the device has no passkey');
    await device.cdp.send('WebAuthn.addCredential', {
      authenticatorId: device.authenticatorId,
      credential: { ...kept, signCount: 0 },
    });
    await ann.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await expect(ann.getByText('(PASSKEY_COPIED)')).toBeVisible();

    // An administrator sees that, and removes it.
    await admin.goto(`${origin}/settings?tab=people`);
    await admin.getByText('Ann A.').click();
    const seen = admin.getByRole('region', { name: 'Passkeys' });
    await expect(seen.getByText('Copied, blocked')).toBeVisible();
    await seen.getByRole('button', { name: 'Remove Old phone' }).click();
    await admin.getByRole('button', { name: 'Remove 1 passkey' }).click();
    await expect(seen).toHaveCount(0);
    await ann.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await expect(ann.getByText('(PASSKEY_INVALID)')).toBeVisible();
    for (const page of [admin, pia, ann]) await page.context().close();
  } finally {
    const ended = once(master, 'exit');
    master.kill('SIGTERM');
    await ended;
    forget(data);
  }
});
