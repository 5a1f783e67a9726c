import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { startApiServer } from '../../src/main/tunnels/kubernetes/api-server.fake.ts';
import { openDesktop } from '../support/desktop.ts';
import { forget, publish, startMaster, temporaryFolder } from '../support/master.ts';
import { takePicture } from '../support/screenshots.ts';
import { greeter } from '../support/workflow-definitions.ts';

test('an operator connects by kubeconfig, sees the cluster, loses the tunnel and gets it back, also after a restart', async () => {
  const settings = temporaryFolder('settings');
  const [master, cluster, desktop] = await Promise.all([
    startMaster({ workers: 0 }),
    startApiServer(),
    openDesktop(undefined, settings),
  ]);
  const file = join(settings, 'kubeconfig.yaml');
  writeFileSync(file, cluster.kubeconfig());
  const pod = {
    name: 'yardmaster-0',
    namespace: 'jobs',
    release: 'yardmaster',
    ready: true,
    port: Number(new URL(master.url).port),
  };
  cluster.pods.push(pod);
  cluster.secrets.set('jobs/yardmaster-admin', { 'admin-password': master.token });
  let app = desktop.app;
  try {
    const { page } = desktop;
    await publish(master, 'behind-the-tunnel', greeter);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Add connection' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Yard in Kubernetes');
    await form.getByText('Kubernetes', { exact: true }).click();
    // What is wrong is said at the field that mends it.
    await form.getByLabel('Kubeconfig file').fill('/nowhere/config');
    await expect(form.getByText('there is no kubeconfig file /nowhere/config')).toBeVisible();
    await form.getByLabel('Kubeconfig file').fill(file);
    await form.getByRole('combobox', { name: 'Context' }).click();
    await page.getByRole('option', { name: 'works' }).click();
    await expect(form.getByLabel('Namespace')).toHaveValue('jobs');
    await form.getByLabel('Namespace').fill('empty');
    await form.getByRole('button', { name: 'Find releases' }).click();
    await expect(form.getByText('found no release of the Yardmaster chart in the namespace "empty"')).toBeVisible();
    await form.getByLabel('Namespace').fill('jobs');
    await form.getByRole('button', { name: 'Find releases' }).click();
    await expect(form.getByRole('combobox', { name: 'Release' })).toHaveValue(
      'jobs/yardmaster, version 0.1.0, 1 of 1 masters ready',
    );
    await form.getByLabel('This is production').check();
    await form.getByRole('button', { name: 'Test' }).click();
    await expect(form.getByText('the token is valid, role admin')).toBeVisible();
    await takePicture(page, 'desktop-kubernetes', 'light');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(form).toBeHidden();
    await page.getByRole('button', { name: 'Open Yard in Kubernetes' }).click();
    await expect(page.getByRole('note', { name: 'About this connection' })).toContainText('Yard in Kubernetes');
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Workflows' }).click();
    await expect(page.getByText('behind-the-tunnel').first()).toBeVisible();

    pod.ready = false;
    cluster.pods.length = 0;
    cluster.cut();
    await expect(
      page.getByText('The tunnel to this cluster was lost. The app reconnects automatically.'),
    ).toBeVisible();
    await expect(page.getByText(/it may have been removed, or is scaled to 0/)).toBeVisible();
    await takePicture(page, 'desktop-tunnel-lost', 'light');
    cluster.pods.push({ ...pod, ready: true, name: 'yardmaster-1' });
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    await expect(page.getByText(/The tunnel to this cluster/)).toHaveCount(0);

    // Expired credentials are not tried over and over, but as soon as somebody has signed in again.
    cluster.tokens.clear();
    cluster.cut();
    await expect(page.getByText('The tunnel to this cluster could not be opened.')).toBeVisible();
    await expect(page.getByText(/sign in again as for kubectl, then retry/)).toBeVisible();
    cluster.tokens.add('good');
    await page.getByRole('button', { name: 'Reconnect now' }).click();
    await expect(page.getByText('Live', { exact: true })).toBeVisible();

    await app.close();
    const again = await openDesktop(desktop.data, settings);
    app = again.app;
    await expect(again.page.getByRole('note', { name: 'About this connection' })).toContainText('Yard in Kubernetes');
    await again.page.getByRole('link', { name: 'Settings' }).click();
    await expect(again.page.getByText('tunnel open through yardmaster-1, jobs')).toBeVisible();
  } finally {
    await app.close();
    await Promise.all([master.stop(), cluster.close()]);
    forget(master.data);
  }
});
