import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ProbeReport } from '../../contract/ipc.ts';
import type { KubernetesVia } from '../../contract/tunnels.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';
import { startApiServer } from './kubernetes/api-server.fake.ts';
import { probeTunnel } from './probe-tunnel.ts';

const agree = () => Promise.resolve();
const via: KubernetesVia = {
  kind: 'kubernetes',
  kubeconfig: '/nowhere/config',
  context: 'works',
  namespace: 'jobs',
  release: 'yardmaster',
  access: 'admin',
};
const master = vi.fn<(url: string, token: string | null) => Promise<ProbeReport>>();
const faulty = async (spec: Partial<KubernetesVia>) => {
  const { ok, steps } = await probeTunnel({ via: { ...via, ...spec }, url: '', ca: null }, null, { agree, master });
  expect(ok).toBe(false);
  return steps.map(({ step, state }) => `${step} ${state}`);
};

test('the step that fails is the one that the fault is about, and none after it was tried', async () => {
  const rest = ['master skipped', 'token skipped', 'version skipped'];
  expect(await faulty({})).toEqual([
    'kubeconfig failed',
    'cluster skipped',
    'release skipped',
    'secret skipped',
    'forward skipped',
    ...rest,
  ]);
  const server = await startApiServer();
  onTestFinished(() => server.close());
  const kubeconfig = join(temporaryFolder('kubeconfig'), 'config');
  writeFileSync(kubeconfig, server.kubeconfig());
  expect(await faulty({ kubeconfig })).toEqual([
    'kubeconfig ok',
    'cluster skipped',
    'release failed',
    'secret skipped',
    'forward skipped',
    ...rest,
  ]);
  // Nothing takes connections where its pod should listen.
  server.pods.push({ name: 'yardmaster-0', namespace: 'jobs', release: 'yardmaster', ready: true, port: 9 });
  expect(await faulty({ kubeconfig, access: 'own' })).toEqual([
    'kubeconfig ok',
    'cluster ok',
    'release ok',
    'forward failed',
    ...rest,
  ]);
  server.tokens.clear();
  expect(await faulty({ kubeconfig })).toContain('cluster failed');
  expect(master).not.toHaveBeenCalled();
});

test('of SSH as well', async () => {
  const spec = {
    via: { kind: 'ssh', destination: 'host', port: null },
    url: 'http://127.0.0.1:8700',
    ca: null,
  } as const;
  const { steps } = await probeTunnel(spec, 'x', { agree, master, ssh: ['no-such-ssh'] });
  expect(steps[0]).toMatchObject({ step: 'ssh', state: 'failed', message: expect.stringContaining('no ssh program') });
});
