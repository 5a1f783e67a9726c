import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from '@playwright/test';
import { parseAllDocuments } from 'yaml';
import type { ReadyLine } from '../../src/contract/process.ts';
import type { Worker } from '../../src/contract/workers.ts';
import { ensureHelm } from '../../scripts/lib/helm.mjs';
import { CLI, lastingPort, NODE, temporaryFolder } from '../support/master.ts';

interface Container {
  args: string[];
  env: { name: string; value?: string; valueFrom?: { secretKeyRef?: { key: string } } }[];
  startupProbe: { httpGet: { path: string } };
  livenessProbe: { httpGet: { path: string } };
  readinessProbe: { httpGet: { path: string } };
}
interface Manifest {
  kind: string;
  data?: Record<string, string>;
  spec?: { template?: { spec: { containers: Container[] } } };
}

test('master and worker start with what the chart gives them, and answer its probes', async () => {
  const work = temporaryFolder('chart');
  const helm = await ensureHelm(() => {});
  const chart = resolve('deploy/helm/yardmaster');
  const set = 'ingress.enabled=true,ingress.host=yard.example.com,workers.labels.zone=b,masters.httpAllow={10.0.0.0/8}';
  const rendered = execFileSync(helm, ['template', 'yardmaster', chart, '--namespace', 'jobs', '--set', set], {
    encoding: 'utf8',
    env: { ...process.env, HELM_CACHE_HOME: work, HELM_CONFIG_HOME: work, HELM_DATA_HOME: work },
  });
  const manifests = parseAllDocuments(rendered).map((document) => document.toJS() as Manifest);
  const secret = manifests.find(({ kind }) => kind === 'Secret')?.data ?? {};
  const containerOf = (of: string): Container =>
    manifests.find(({ kind }) => kind === of)?.spec?.template?.spec.containers[0] as Container;
  mkdirSync(join(work, 'secrets'));
  for (const [name, value] of Object.entries(secret))
    writeFileSync(join(work, 'secrets', name), Buffer.from(value, 'base64'));

  /** As the kubelet makes it of what a container names. */
  const variablesOf = ({ env }: Container): Record<string, string> => {
    const made: Record<string, string> = {};
    for (const { name, value, valueFrom } of env) {
      const key = valueFrom?.secretKeyRef?.key;
      if (key !== undefined) made[name] = Buffer.from(secret[key] ?? '', 'base64').toString();
      else if (valueFrom) made[name] = 'of-the-pod';
      else made[name] = (value ?? '').replace(/\$\((\w+)\)/g, (_, other: string) => made[other] ?? '');
      if (made[name].startsWith('/etc/yardmaster/secrets/')) made[name] = join(work, 'secrets', basename(made[name]));
    }
    return made;
  };
  const probe = async (origin: string, container: Container): Promise<number[]> => {
    const paths = [container.startupProbe, container.livenessProbe, container.readinessProbe].map(
      ({ httpGet }) => httpGet.path,
    );
    return Promise.all(paths.map(async (path) => (await fetch(`${origin}${path}`)).status));
  };
  const start = (container: Container, env: Record<string, string>) =>
    spawn(NODE, [CLI, ...container.args, '--json'], {
      env: { ...variablesOf(container), ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });

  const ofMaster = containerOf('StatefulSet');
  const ports = ['PORT', 'LOG_STORE_PORT', 'METRICS_PORT', 'LOGSTASH_PORT'].map((name) => [`YARDMASTER_${name}`, '0']);
  const master = start(ofMaster, {
    ...(Object.fromEntries(ports) as Record<string, string>),
    YARDMASTER_HOST: '0.0.0.0',
    YARDMASTER_DATA: join(work, 'data'),
  });
  const masterEnded = once(master, 'exit');
  const [line] = (await once(createInterface({ input: master.stdout }), 'line')) as [string];
  const url = `http://127.0.0.1:${(JSON.parse(line) as ReadyLine).ports.master}`;
  expect(await probe(url, ofMaster)).toEqual([200, 200, 200]);

  const ofWorker = containerOf('Deployment');
  const healthPort = `${await lastingPort()}`;
  const worker = start(ofWorker, { YARDMASTER_MASTER: url, YARDMASTER_HEALTH_PORT: healthPort });
  const workerEnded = once(worker, 'exit');
  await once(createInterface({ input: worker.stdout }), 'line');
  expect(await probe(`http://127.0.0.1:${healthPort}`, ofWorker)).toEqual([200, 200, 200]);

  const viewer = Buffer.from(secret['viewer-token'] ?? '', 'base64').toString();
  const asViewer = { headers: { authorization: `Bearer ${viewer}` } };
  const { items } = (await (await fetch(`${url}/api/v1/workers`, asViewer)).json()) as { items: Worker[] };
  expect(items).toEqual([
    expect.objectContaining({
      maxTasks: 8,
      labels: { pod: 'of-the-pod', node: 'of-the-pod', zone: 'b' },
    }),
  ]);

  worker.kill('SIGTERM');
  expect((await workerEnded)[0]).toBe(0);
  master.kill('SIGTERM');
  expect((await masterEnded)[0]).toBe(0);
  rmSync(work, { recursive: true, force: true });
});
