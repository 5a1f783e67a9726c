import type { KubernetesRelease, KubernetesVia } from '../../../contract/tunnels.ts';
import { Fault } from '../../../lib/fault.ts';
import { isRecord } from '../../../lib/is-record.ts';
import type { ApiServer } from './cluster.ts';

/** Labels of what the chart installs (deploy/helm/yardmaster/templates/_helpers.tpl). */
const MASTERS = 'app.kubernetes.io/name=yardmaster,app.kubernetes.io/component=masters';
const INSTANCE = 'app.kubernetes.io/instance';
const VERSION = 'app.kubernetes.io/version';

/** A pod of a master, as far as a connection needs it. */
export interface MasterPod {
  readonly name: string;
  readonly ready: boolean;
  readonly port: number;
  /** Its Secret with tokens. */
  readonly secret: string | null;
  /** Its Secret with the certificate; null: it speaks plain HTTP in its pod. */
  readonly tlsSecret: string | null;
}

/** The releases of a namespace, or of all where it is null. */
export async function listReleases(server: ApiServer, namespace: string | null): Promise<KubernetesRelease[]> {
  const what =
    namespace === null
      ? 'list pods and services in all namespaces: enter the namespace of the release'
      : `list pods and services in the namespace "${namespace}"`;
  const base = namespace === null ? '/api/v1' : `/api/v1/namespaces/${encodeURIComponent(namespace)}`;
  const select = `?labelSelector=${encodeURIComponent(MASTERS)}`;
  const [services, pods] = await Promise.all([
    server.get(`${base}/services${select}`, what),
    server.get(`${base}/pods${select}`, what),
  ]);
  const found = new Map<string, KubernetesRelease>();
  for (const item of itemsOf(services)) {
    const { labels, namespace: space } = metadataOf(item);
    const name = labels[INSTANCE];
    if (name !== undefined)
      found.set(`${space}/${name}`, { namespace: space, name, version: labels[VERSION] ?? null, ready: 0, masters: 0 });
  }
  for (const item of itemsOf(pods)) {
    const { labels, namespace: space } = metadataOf(item);
    const release = found.get(`${space}/${labels[INSTANCE]}`);
    if (!release) continue;
    release.masters++;
    if (isReady(item)) release.ready++;
  }
  const releases = [...found.values()].sort((a, b) =>
    `${a.namespace}/${a.name}`.localeCompare(`${b.namespace}/${b.name}`),
  );
  if (releases.length === 0)
    throw new Fault(
      'RELEASE_NOT_FOUND',
      `found no release of the Yardmaster chart in ${namespace === null ? 'any namespace' : `the namespace "${namespace}"`} of ${server.address}: check context and namespace`,
    );
  return releases;
}

/** The masters of a release, the ready ones first. Rejects where none is ready. */
export async function readyMasters(server: ApiServer, { namespace, release }: KubernetesVia): Promise<MasterPod[]> {
  const body = await server.get(
    `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods?labelSelector=${encodeURIComponent(`${MASTERS},${INSTANCE}=${release}`)}`,
    `list pods in the namespace "${namespace}"`,
  );
  const pods = itemsOf(body).map(podOf);
  if (pods.length === 0)
    throw new Fault(
      'RELEASE_NOT_FOUND',
      `the release "${release}" has no master in the namespace "${namespace}" of ${server.address}: it may have been removed, or is scaled to 0`,
    );
  const ready = pods.filter((pod) => pod.ready);
  if (ready.length === 0)
    throw new Fault(
      'POD_NOT_READY',
      `no master of the release "${release}" is ready (${pods.map(({ name }) => name).join(', ')}): see kubectl -n ${namespace} get pods`,
    );
  return ready;
}

/** Entries of a Secret, decoded. */
export async function readSecret(server: ApiServer, namespace: string, name: string): Promise<Record<string, string>> {
  let body: unknown;
  try {
    body = await server.get(
      `/api/v1/namespaces/${encodeURIComponent(namespace)}/secrets/${encodeURIComponent(name)}`,
      `read the Secret "${name}"`,
    );
  } catch (error) {
    if (error instanceof Fault && error.code === 'KUBERNETES_FORBIDDEN')
      throw new Fault(
        'SECRET_UNREADABLE',
        `${error.message}: ask for get on that Secret in "${namespace}", or enter a token of your own`,
        { cause: error },
      );
    throw error;
  }
  const data = isRecord(body) && isRecord(body['data']) ? body['data'] : null;
  if (data === null)
    throw new Fault(
      'SECRET_UNREADABLE',
      `there is no Secret "${name}" in the namespace "${namespace}": enter a token of your own`,
    );
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(String(value), 'base64').toString('utf8')]),
  );
}

const itemsOf = (body: unknown): Record<string, unknown>[] =>
  isRecord(body) && Array.isArray(body['items']) ? body['items'].filter(isRecord) : [];

function metadataOf(item: Record<string, unknown>): {
  name: string;
  namespace: string;
  labels: Record<string, string>;
} {
  const metadata = isRecord(item['metadata']) ? item['metadata'] : {};
  const labels = isRecord(metadata['labels']) ? metadata['labels'] : {};
  return {
    name: String(metadata['name'] ?? ''),
    namespace: String(metadata['namespace'] ?? ''),
    labels: Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, String(value)])),
  };
}

const listIn = (value: unknown, member: string): Record<string, unknown>[] =>
  isRecord(value) && Array.isArray(value[member]) ? value[member].filter(isRecord) : [];

/** One that is about to end takes no new connections, ready as it may still say it is. */
const isReady = (item: Record<string, unknown>): boolean =>
  !(isRecord(item['metadata']) && item['metadata']['deletionTimestamp']) &&
  listIn(item['status'], 'conditions').some(({ type, status }) => type === 'Ready' && status === 'True');

function podOf(item: Record<string, unknown>): MasterPod {
  const volumes = listIn(item['spec'], 'volumes');
  const secretOf = (name: string): string | null => {
    const secret = volumes.find((volume) => volume['name'] === name)?.['secret'];
    return isRecord(secret) && typeof secret['secretName'] === 'string' ? secret['secretName'] : null;
  };
  const port = listIn(item['spec'], 'containers')
    .flatMap((container) => listIn(container, 'ports'))
    .find(({ name }) => name === 'http')?.['containerPort'];
  return {
    name: metadataOf(item).name,
    ready: isReady(item),
    port: typeof port === 'number' ? port : 8700,
    secret: secretOf('secrets'),
    tlsSecret: secretOf('tls'),
  };
}
