import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { startTestProvider } from '../../src/server/access/oidc/provider.fixture.ts';
import { expect, test } from '../support/test.ts';
import { CLI, forget, NODE, temporaryFolder } from '../support/master.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

test('a team signs in by name: the first account, a one-time password, and the provider', async ({ systemBrowser }) => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const provider = await startTestProvider(`${origin}/api/v1/session/oidc/callback`);
  provider.account = { sub: 'bea-1', claims: { name: 'Bea B.', preferred_username: 'bea' } };
  const data = temporaryFolder('data');
  const master = spawn(
    NODE,
    [
      ...[CLI, 'master', '--port', String(port), '--logstash-port', '0', '--data', data, '--workers', '0'],
      ...['--oidc-issuer', provider.issuer, '--oidc-client-id', 'yardmaster', '--oidc-name', 'Example'],
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, YARDMASTER_OIDC_CLIENT_SECRET: 'the secret of the client' },
    },
  );
  try {
    let link = '';
    for await (const text of createInterface({ input: master.stdout })) {
      link = /http\S+#sign-in=\S+/.exec(text)?.[0] ?? '';
      if (link) break;
    }
    const admin = await (await systemBrowser.newContext()).newPage();
    await admin.goto(link.replace(/^http:\/\/[^/]+/, origin));
    await expect(admin.getByRole('heading', { name: 'Overview' })).toBeVisible();
    await admin.goto(`${origin}/settings?tab=tokens`);
    await admin.getByRole('link', { name: 'Let people sign in by name' }).click();
    await admin.getByRole('button', { name: 'New account' }).first().click();
    const dialog = admin.getByRole('dialog');
    await dialog.getByLabel('Sign-in name').fill('ann a.');
    await dialog.getByLabel('Email').fill('ann');
    await dialog.getByRole('button', { name: 'Create account' }).click();
    await expect(dialog.getByText(/^Use letters, digits and/)).toBeVisible();
    await expect(dialog.getByText('Enter an email address.')).toBeVisible();
    await dialog.getByLabel('Sign-in name').fill('ann');
    await dialog.getByLabel('Email').fill('ann@example.org');
    await dialog.getByLabel('Full name').fill('Ann A.');
    await dialog.getByRole('button', { name: 'Create account' }).click();
    const oneTime =
      /[a-z2-9]{20}/.exec(
        (await dialog
          .getByText(/[a-z2-9]{20}/)
          .first()
          .textContent()) ?? '',
      )?.[0] ?? '';
    expect(oneTime).not.toBe('');
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await expect(admin.getByRole('row', { name: /Ann A\./ })).toContainText('viewer');

    const ann = await (await systemBrowser.newContext()).newPage();
    await ann.goto(`${origin}/jobs`);
    await ann.getByLabel('Sign-in name').fill('ann');
    await ann.getByLabel(/^Password/).fill(oneTime);
    await ann.getByRole('button', { name: 'Sign in', exact: true }).click();
    await ann.getByLabel(/^New password/).fill('some words in a row');
    await ann.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(ann.getByRole('heading', { name: 'Jobs' })).toBeVisible();
    // What she may not do says why, also from the keyboard.
    await ann.getByRole('link', { name: 'Dashboards', exact: true }).click();
    const create = ann.getByRole('button', { name: 'New dashboard' });
    await expect(create).toBeDisabled();
    await create.focus();
    await ann.keyboard.press('Shift+Tab');
    await ann.keyboard.press('Tab');
    await expect(create).toBeFocused();
    await expect(ann.getByRole('tooltip').filter({ hasText: 'No role of yours allows' }).last()).toBeVisible();
    await ann.keyboard.press('Enter');
    await expect(ann.getByRole('dialog')).toBeHidden();
    await ann.getByRole('button', { name: 'Account: ann, viewer' }).click();
    await expect(ann.getByText('Ann A.')).toBeVisible();
    await ann.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(ann.getByRole('heading', { name: 'Sign in to Yardmaster' })).toBeVisible();

    const bea = await (await systemBrowser.newContext()).newPage();
    await bea.goto(`${origin}/workers`);
    await bea.getByRole('link', { name: 'Sign in with Example' }).click();
    await expect(bea.getByRole('heading', { name: 'No access yet' })).toBeVisible();
    await expect(bea.getByText('Bea B.')).toBeVisible();
    expect(new URL(bea.url()).pathname).toBe('/workers');
    await bea.getByRole('button', { name: 'Sign out' }).click();
    await expect(bea).toHaveURL(new RegExp(`^${provider.issuer}`));

    await admin.goto(`${origin}/settings?tab=people`);
    for (const action of ['Disable', 'Delete']) {
      await admin.getByRole('row', { name: /Bea B\./ }).hover();
      await admin.getByRole('button', { name: new RegExp(`^${action} Bea B\\.`) }).click();
      if (action === 'Disable')
        await admin.getByRole('dialog').getByRole('button', { name: 'Disable 1 account' }).click();
    }
    await expect(admin.getByRole('dialog')).toContainText('their next sign-in makes a new account');
    await admin.keyboard.press('Escape');

    provider.account = null;
    const refused = await (await systemBrowser.newContext()).newPage();
    await refused.goto(origin);
    await refused.getByRole('link', { name: 'Sign in with Example' }).click();
    await expect(refused.getByText('The sign-in provider refused, or you cancelled there.')).toBeVisible();
    expect(refused.url()).not.toContain('sign-in-failed');
    for (const page of [admin, ann, bea, refused]) await page.context().close();
  } finally {
    const ended = once(master, 'exit');
    master.kill('SIGTERM');
    await ended;
    await provider.close();
    forget(data);
  }
});
