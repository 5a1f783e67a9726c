import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { ensureHelm } from '../lib/helm.mjs';

/** The chart for Kubernetes, by the real helm, over many values; each manifest is checked against the API of its kind. */
const CHART = resolve('deploy/helm/yardmaster');
const run = promisify(execFile);
const work = mkdtempSync(join(tmpdir(), 'yardmaster-helm-'));
const env = { ...process.env, HELM_CACHE_HOME: work, HELM_CONFIG_HOME: work, HELM_DATA_HOME: work };
let helm = '';
beforeAll(async () => void (helm = await ensureHelm(() => {})));
afterAll(() => rmSync(work, { recursive: true, force: true }));

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> };
  // As it is in the file: what is looked at here is compared with what it should be.
  // oxlint-disable-next-line typescript/no-explicit-any
  spec?: any;
  data?: Record<string, string>;
}
type Values = Record<string, unknown>;

let files = 0;
/** `values`: as they are, or as the text of a file. */
async function template(values: Values | string): Promise<Manifest[]> {
  const file = join(work, `values-${files++}.yaml`);
  writeFileSync(file, typeof values === 'string' ? values : stringify(values));
  const args = ['template', 'yardmaster', CHART, '--namespace', 'jobs', '--values', file];
  const { stdout } = await run(helm, args, { env, maxBuffer: 16 * 1024 * 1024 });
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}
const refusal = (values: Values) =>
  template(values).then(
    () => '',
    (error: { stderr?: string }) => error.stderr ?? '',
  );
const of = (manifests: readonly Manifest[], kind: string, name: string): Manifest => {
  const found = manifests.find((one) => one.kind === kind && one.metadata.name === name);
  if (!found) throw new Error(`no ${kind} ${name} among ${manifests.map((one) => one.kind).join(', ')}`);
  return found;
};

const postgres = {
  store: {
    kind: 'postgres',
    postgres: { url: 'postgres://y@db/y?sslmode=verify-full', passwordSecret: { name: 'db' }, caSecret: 'db-ca' },
  },
  masters: { replicas: 3 },
};
const issuer = { certManager: { enabled: true, issuerName: 'ca' } };
const MATRIX: Record<string, Values> = {
  'as it comes': {},
  'without workers': { workers: { enabled: false }, networkPolicy: { enabled: false } },
  'three masters on PostgreSQL': { ...postgres },
  'three masters with a certificate': { ...postgres, tls: issuer, service: { port: 443 } },
  'behind an Ingress': {
    ingress: { enabled: true, host: 'yard.example.com', className: 'nginx', annotations: { a: 'b' } },
    networkPolicy: {
      ingressFrom: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } } }],
      logSendersFrom: [{ ipBlock: { cidr: '10.1.0.0/16' } }],
      monitoringFrom: [{ podSelector: {} }],
    },
  },
  'scaled by processor time': { workers: { autoscaling: { kind: 'hpa' } } },
  'scaled by the queue': { workers: { autoscaling: { kind: 'keda', minReplicas: 0 } }, tls: { secretName: 'cert' } },
  'scaled by Prometheus': {
    workers: { autoscaling: { kind: 'keda', prometheusUrl: 'http://prometheus:9090' } },
    serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  },
  'with Grafana': { grafana: { enabled: true, containerMetrics: { url: 'http://prometheus:9090' } } },
  'with Grafana and a certificate': { grafana: { enabled: true }, tls: issuer, serviceMonitor: { enabled: true } },
  'with the stores of the chart': {
    logStore: { kind: 'victorialogs', victorialogs: { storageClass: 'big' } },
    metricsStore: { kind: 'influxdb', influxdb: { storageClass: 'big' } },
    grafana: { enabled: true },
  },
  'with stores elsewhere': {
    logStore: {
      kind: 'external',
      external: {
        ...{ url: 'https://logs.example.com/select', insertUrl: 'https://logs.example.com/insert', tenant: '12:0' },
        ...{ user: 'yard', secret: { name: 'logs' }, caSecret: 'logs-ca' },
      },
    },
    metricsStore: {
      kind: 'external',
      external: {
        ...{ url: 'https://influx.example.com', organization: 'ops', bucket: 'yard' },
        ...{ secret: { name: 'influx' }, caSecret: 'influx-ca' },
      },
    },
    grafana: { enabled: true },
    tls: issuer,
  },
  'with a token for logs elsewhere, three masters': {
    ...postgres,
    logStore: { kind: 'external', external: { url: 'http://logs:9428', secret: { name: 'logs', key: 'token' } } },
  },
  'with everything else': {
    image: { pullSecrets: ['registry'], tag: '1', pullPolicy: 'Always' },
    admin: { existingSecret: 'mine' },
    masters: {
      ...{ storageClass: 'fast', durability: 'full', httpAllow: ['10.0.0.0/8'], extraEnv: [{ name: 'A', value: 'b' }] },
      ...{ nodeSelector: { a: 'b' }, tolerations: [{ operator: 'Exists' }], annotations: { a: 'b' } },
    },
    workers: {
      ...{ handlers: { configMap: 'mine' }, labels: { zone: 'b' }, maxUnavailable: '25%' },
      ...{ tolerations: [{ operator: 'Exists' }], topologySpread: { enabled: false }, annotations: { a: 'b' } },
    },
    backupBeforeUpgrade: { enabled: true, claim: 'backups' },
    examples: true,
  },
};

it('passes helm lint', () => {
  expect(execFileSync(helm, ['lint', '--strict', CHART], { env, encoding: 'utf8' })).toContain('0 chart(s) failed');
});

describe('manifests', () => {
  const made = new Map<string, Manifest[]>();
  beforeAll(async () => {
    for (const [name, values] of Object.entries(MATRIX)) made.set(name, await template(values));
  });

  const places: Record<string, string> = {
    'keda.sh': '@kubernetes-models/keda/',
    'monitoring.coreos.com': '@kubernetes-models/prometheus-operator/',
    'cert-manager.io': '@kubernetes-models/cert-manager/',
  };
  const moduleOf = ({ apiVersion, kind }: Manifest): string =>
    `${places[apiVersion.split('/')[0] ?? ''] ?? 'kubernetes-models/'}${apiVersion}/${kind}`;

  it.each(Object.keys(MATRIX))('are valid: %s', async (name) => {
    for (const manifest of made.get(name) ?? []) {
      const { [manifest.kind]: Model } = (await import(moduleOf(manifest))) as Record<
        string,
        new (data: object) => { validate(): void }
      >;
      expect(Model, moduleOf(manifest)).toBeDefined();
      if (Model) new Model(manifest).validate();
    }
  });

  it('have no field that their kind does not have', async () => {
    const all = [...made.values()].flat();
    const lines = all.map((manifest, i) => {
      const { kind } = manifest;
      return `import type { I${kind} as Kind${i} } from '${moduleOf(manifest)}';\nexport const manifest${i}: Kind${i} = ${JSON.stringify(manifest)};`;
    });
    // Below the repository, for its packages.
    mkdirSync('.cache', { recursive: true });
    const folder = mkdtempSync(resolve('.cache', 'manifests-'));
    const options = {
      ...{ noEmit: true, strict: true, skipLibCheck: true, types: [], module: 'nodenext', target: 'es2024' },
    };
    try {
      writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'));
      writeFileSync(
        join(folder, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: options, files: ['manifests.ts'] }),
      );
      const tsc = resolve('node_modules/typescript/bin/tsc');
      const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch((error: { stdout: string }) => error);
      expect(stdout).toBe('');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('run every container as nobody in particular, with nothing to write to but its volumes', () => {
    const pods = [...made.values()].flat().flatMap(({ kind, spec }) => {
      if (kind === 'Pod') return [spec];
      return ['StatefulSet', 'Deployment', 'Job'].includes(kind) ? [spec.template.spec] : [];
    });
    expect(pods.length).toBeGreaterThan(25);
    for (const pod of pods) {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        // Else YARDMASTER_PORT would be tcp://10.0.0.1:80, made by Kubernetes of the Service.
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      for (const container of [...pod.containers, ...(pod.initContainers ?? [])]) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        const mounts = container.volumeMounts.map((mount: { name: string }) => mount.name);
        const volumes = [...(pod.volumes ?? []), { name: 'data' }].map((volume: { name: string }) => volume.name);
        expect(volumes).toEqual(expect.arrayContaining(mounts));
      }
    }
  });

  it('reach what they name', () => {
    for (const manifests of made.values()) {
      const labels = manifests.flatMap(({ spec }) => (spec?.template ? [spec.template.metadata.labels] : []));
      for (const { spec } of manifests.filter(({ kind }) => kind === 'Service'))
        expect(labels).toContainEqual(expect.objectContaining(spec.selector));
      for (const { spec } of manifests.filter(({ kind }) => /ScaledObject|Autoscaler/.test(kind)))
        of(manifests, 'Deployment', spec.scaleTargetRef.name);
    }
  });

  it('give workers the time that they need, and the master one that is longer than its own', () => {
    const all = made.get('three masters on PostgreSQL') ?? [];
    const workers = of(all, 'Deployment', 'yardmaster-workers').spec.template.spec;
    const masters = of(all, 'StatefulSet', 'yardmaster').spec.template.spec;
    const drain = (pod: { containers: { env: { name: string; value: string }[] }[] }) =>
      Number(pod.containers[0]?.env.find(({ name }) => name === 'YARDMASTER_DRAIN_SECONDS')?.value);
    expect(workers.terminationGracePeriodSeconds).toBeGreaterThan(drain(workers) + 10);
    // Its drain, 20 s of its own, and the pause before it hears of the end.
    expect(masters.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
      drain(masters) + 20 + masters.containers[0].lifecycle.preStop.sleep.seconds,
    );
  });

  it('keep the names and values of the specification', () => {
    const all = made.get('with Grafana') ?? [];
    expect(of(all, 'Secret', 'yardmaster-admin').data).toHaveProperty('admin-password');
    expect(of(all, 'Service', 'yardmaster-grafana').spec.ports).toEqual([
      { name: 'http', port: 80, targetPort: 'http' },
    ]);
    expect(of(all, 'Service', 'yardmaster').spec.ports.map(({ port }: { port: number }) => port)).toEqual([
      80, 9428, 8086, 9000,
    ]);
    const [{ env: variables }] = of(all, 'StatefulSet', 'yardmaster').spec.template.spec.containers;
    expect(variables).toContainEqual({ name: 'YARDMASTER_LOG_STORE_BYTES', value: `${10 * 1024 ** 3}` });
    expect(variables).toContainEqual({ name: 'YARDMASTER_LOGSTASH_PORT', value: '9000' });
  });

  const masterOf = (name: string) => {
    const { spec } = of(made.get(name) ?? [], 'StatefulSet', 'yardmaster');
    const [{ env: variables, ports }] = spec.template.spec.containers;
    return {
      spec,
      ports: ports.map((port: { name: string }) => port.name),
      variables: Object.fromEntries(
        variables.map((one: { name: string; value?: string }) => [one.name, one.value]),
      ) as Record<string, string | undefined>,
    };
  };
  const sizeOf = ({ volumeClaimTemplates: [claim] }: Manifest['spec']) => claim.spec.resources.requests.storage;

  it('let masters keep logs and metrics in stores of the release', () => {
    const all = made.get('with the stores of the chart') ?? [];
    const { spec, ports, variables } = masterOf('with the stores of the chart');
    const { data } = of(all, 'Secret', 'yardmaster-admin');
    for (const key of ['logs-password', 'metrics-token', 'metrics-password']) expect(data).toHaveProperty(key);
    expect(variables).toMatchObject({
      YARDMASTER_LOGS: 'http://yardmaster-victorialogs.jobs.svc:9428',
      YARDMASTER_LOGS_PASSWORD_FILE: '/etc/yardmaster/secrets/logs-password',
      YARDMASTER_METRICS: 'http://yardmaster-influxdb.jobs.svc:8086',
      YARDMASTER_METRICS_TOKEN_FILE: '/etc/yardmaster/secrets/metrics-token',
    });
    expect(variables).not.toHaveProperty('YARDMASTER_LOG_STORE_BYTES');
    // A master whose metrics are elsewhere has no port for them.
    expect(ports).toEqual(['http', 'log-store', 'logstash']);
    expect(of(all, 'Service', 'yardmaster').spec.ports.map(({ port }: { port: number }) => port)).not.toContain(8086);
    expect(sizeOf(spec)).toBe('14Gi');
    expect(sizeOf(of(all, 'StatefulSet', 'yardmaster-victorialogs').spec)).toBe('12Gi');
    const { spec: buckets } = of(all, 'Job', 'yardmaster-buckets-1').spec.template;
    expect(buckets.containers[0]).toMatchObject({ args: ['metrics', 'provision'] });
    const { spec: grafana } = of(all, 'Deployment', 'yardmaster-grafana').spec.template;
    expect(grafana.initContainers[0].args.join(' ')).not.toContain('--metrics-url');
    expect(grafana.containers[0].env).toContainEqual({
      name: 'YARDMASTER_INFLUXDB_TOKEN',
      valueFrom: { secretKeyRef: { name: 'yardmaster-admin', key: 'metrics-token' } },
    });
    const { spec: policy } = of(all, 'NetworkPolicy', 'yardmaster-victorialogs');
    expect(policy.ingress[0].from).toHaveLength(1);
  });

  it('let masters keep logs and metrics in stores elsewhere, with credentials of their own Secrets', () => {
    const all = made.get('with stores elsewhere') ?? [];
    const { spec, variables } = masterOf('with stores elsewhere');
    expect(variables).toMatchObject({
      YARDMASTER_LOGS: 'https://logs.example.com/select',
      YARDMASTER_LOGS_INSERT: 'https://logs.example.com/insert',
      YARDMASTER_LOGS_TENANT: '12:0',
      YARDMASTER_LOGS_USER: 'yard',
      YARDMASTER_LOGS_PASSWORD_FILE: '/etc/yardmaster/logs/credential',
      YARDMASTER_LOGS_CA: '/etc/yardmaster/logs-ca/ca.crt',
      YARDMASTER_METRICS: 'https://influx.example.com',
      YARDMASTER_METRICS_ORG: 'ops',
      YARDMASTER_METRICS_BUCKET: 'yard',
      YARDMASTER_METRICS_TOKEN_FILE: '/etc/yardmaster/metrics/credential',
      YARDMASTER_METRICS_CA: '/etc/yardmaster/metrics-ca/ca.crt',
    });
    expect(spec.template.spec.volumes).toContainEqual({
      name: 'logs',
      secret: expect.objectContaining({ secretName: 'logs', items: [{ key: 'password', path: 'credential' }] }),
    });
    expect(all.filter(({ metadata }) => /victorialogs|influxdb|buckets/.test(metadata.name))).toEqual([]);
    expect(masterOf('with a token for logs elsewhere, three masters').variables).toMatchObject({
      YARDMASTER_LOGS_TOKEN_FILE: '/etc/yardmaster/logs/credential',
      YARDMASTER_METRICS_STORE_BYTES: `${10 * 1024 ** 3}`,
    });
  });

  it('name only variables that the product knows', async () => {
    const docs = ['cli', 'limits', 'victorialogs', 'influxdb', 'grafana']
      .map((name) => `docs/${name}.md`)
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const isKnown = (name: string): boolean => {
      const bare = name.replace(/_FILE$/, '');
      return (
        docs.includes(bare) || docs.includes(`--${bare.slice('YARDMASTER_'.length).toLowerCase().replaceAll('_', '-')}`)
      );
    };
    const sources =
      readFileSync('src/cli/commands/master.ts', 'utf8') + readFileSync('src/cli/commands/worker.ts', 'utf8');
    const names = [...made.values()]
      .flat()
      .flatMap(({ spec }) =>
        (spec?.template?.spec.containers ?? []).flatMap(({ env: some = [] }: { env?: { name: string }[] }) =>
          some.map(({ name }) => name).filter((name) => name.startsWith('YARDMASTER_')),
        ),
      ) as string[];
    expect(
      [...new Set(names)].filter(
        (name) =>
          !isKnown(name) &&
          !sources.includes(`--${name.slice('YARDMASTER_'.length).toLowerCase().replaceAll('_', '-')} `),
      ),
    ).toEqual([]);
  });
});

describe('values', () => {
  it.each([
    [{ masters: { replicas: 2 } }, /several masters share PostgreSQL/],
    [{ store: { kind: 'postgres' } }, /store\.postgres\.url: needed/],
    [{ ingress: { enabled: true } }, /ingress\.host: needed/],
    [{ ...postgres, grafana: { enabled: true } }, /open on the owner of the state alone/],
    [{ tls: { secretName: 'a', ...issuer } }, /either tls\.secretName/],
    [{ tls: { certManager: { enabled: true } } }, /issuerName: needed/],
    [{ backupBeforeUpgrade: { enabled: true } }, /PersistentVolumeClaim/],
    [{ logStore: { kind: 'external' } }, /logStore\.external\.url: needed/],
    [
      { logStore: { kind: 'external', external: { url: 'http://l', user: 'u' } } },
      /password of logStore\.external\.user/,
    ],
    [{ logStore: { kind: 'external', external: { url: 'http://l', caSecret: 'ca' } } }, /caSecret: for https URLs/],
    [{ logStore: { kind: 'external', external: { url: 'https://u:secret@l' } } }, /\/logStore\/external\/url/],
    [{ logStore: { kind: 'loki' } }, /\/logStore\/kind/],
    [{ metricsStore: { kind: 'external', external: { url: 'http://i' } } }, /organization and secret\.name are needed/],
    [{ admin: { password: 'hunter2' } }, /\/admin\/password/],
    [{ store: { kind: 'postgres', postgres: { url: 'postgres://y:secret@db/y' } } }, /\/store\/postgres\/url/],
    [{ logPipeline: { logstashPort: 0 } }, /\/logPipeline\/logstashPort/],
    [{ worker: {} }, /additional properties 'worker' not allowed/],
  ])('%j are refused', async (values, why) => {
    expect(await refusal(values)).toMatch(why);
  });

  it('of the documentation are accepted', async () => {
    const text = readFileSync('docs/on-kubernetes.md', 'utf8');
    const blocks = [...text.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, block = '']) => block);
    expect(blocks.length).toBeGreaterThanOrEqual(3);
    for (const block of blocks) expect(await template(block)).not.toEqual([]);
  });

  it('are all described', () => {
    const schema = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')) as Schema;
    const values = parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')) as Values;
    const missing: string[] = [];
    const look = (at: string, value: unknown, described: Schema | undefined): void => {
      if (!described?.description) return void missing.push(at);
      if (described.properties === undefined || typeof value !== 'object' || value === null) return;
      for (const [key, inner] of Object.entries(value)) look(`${at}.${key}`, inner, described.properties[key]);
      for (const key of Object.keys(described.properties))
        if (!(key in value) && key !== 'global') missing.push(`${at}.${key} (not in values.yaml)`);
    };
    look('', values, schema);
    expect(missing).toEqual([]);
  });
});

interface Schema {
  description?: string;
  properties?: Record<string, Schema>;
}
