import type { Duplex } from 'node:stream';
import type { KubernetesRelease, KubernetesVia, TunnelStep } from '../../../contract/tunnels.ts';
import { Fault } from '../../../lib/fault.ts';
import { checkMaster, masterStream, type MasterEnd } from '../master-stream.ts';
import type { Attempt, Link } from '../tunnel.ts';
import { createApiServer, type ApiServer } from './cluster.ts';
import { runCredentialsCommand } from './credentials.ts';
import { commandOf, kubeconfigFiles, readKubeconfig, selectContext, type CredentialsCommand } from './kubeconfig.ts';
import { listReleases, readSecret, readyMasters, type MasterPod } from './release.ts';

export interface KubernetesOptions {
  readonly via: KubernetesVia;
  /** Of the masters' certificate, where it is not in their Secret; null: that Secret, else the system's. */
  readonly ca: string | null;
  /** Whether the user wants that command run; a `Fault` says why not. */
  agreed(command: CredentialsCommand, file: string): Promise<void>;
  readonly env?: NodeJS.ProcessEnv;
  /** Each step that went well. */
  report?(step: TunnelStep, message: string): void;
}
type ServerOptions = Pick<KubernetesOptions, 'agreed' | 'env' | 'report'> & {
  readonly via: Pick<KubernetesVia, 'kubeconfig' | 'context'>;
};

/** The API server of a context, with credentials; a command that brings them is run where the user agreed. */
async function openApiServer({ via, agreed, env = process.env, report }: ServerOptions): Promise<ApiServer> {
  const files = kubeconfigFiles(via.kubeconfig, env);
  const config = await readKubeconfig(files);
  const user = selectContext(config, via.context, files);
  const [file = ''] = files;
  const command = commandOf(user, file);
  if (command !== null) await agreed(command, files.join(', '));
  const held = user && command ? await runCredentialsCommand(config, user, file, env) : config;
  report?.('kubeconfig', `the context "${via.context}" of ${files.join(', ')}`);
  return createApiServer(held);
}

export async function findReleases(options: ServerOptions, namespace: string | null): Promise<KubernetesRelease[]> {
  return listReleases(await openApiServer(options), namespace);
}

/** A way to a ready master of a release, by port-forward through the API server. */
export async function openKubernetesLink(options: KubernetesOptions, { signal, lost }: Attempt): Promise<Link> {
  const { via, report } = options;
  const server = await openApiServer(options);
  const pods = await readyMasters(server, via);
  report?.('cluster', `the API server ${server.address} takes the credentials`);
  report?.('release', `${via.namespace}/${via.release}: ${pods.map(({ name }) => name).join(', ')} ready`);
  const token = await tokenOf(server, via, pods[0]?.secret ?? null);
  if (token !== null) report?.('secret', `the ${via.access} token is in the Secret ${pods[0]?.secret}`);
  const tlsSecret = pods[0]?.tlsSecret ?? null;
  const tls = tlsSecret === null ? null : await trustOf(server, options, tlsSecret);
  let fault: unknown;
  // A pod of a node that was just lost says that it is ready for a while.
  for (const pod of pods) {
    signal.throwIfAborted();
    const end: MasterEnd = { name: `pod ${pod.name}`, tls };
    try {
      const found = await checkMaster(
        async () => masterStream(await server.forward(via.namespace, pod.name, pod.port), end),
        end,
      );
      report?.('forward', found);
      return linkTo(pod);
    } catch (error) {
      fault = error;
    }
  }
  throw fault;

  function linkTo(pod: MasterPod): Link {
    const streams = new Set<Duplex>();
    let closed = false;
    let looking = false;

    /** A connection that its pod's end closed may mean that the pod is gone: then the others are of no use either. */
    const look = async () => {
      if (closed || looking) return;
      looking = true;
      const now = await readyMasters(server, via).catch((error: unknown) => (lost(error), null));
      looking = false;
      if (!closed && now && !now.some(({ name }) => name === pod.name))
        lost(new Fault('TUNNEL_LOST', `the pod ${pod.name} is no longer ready`));
    };
    return {
      through: `${pod.name}, ${via.namespace}`,
      token,
      async dial() {
        const raw = await server.forward(via.namespace, pod.name, pod.port);
        streams.add(raw);
        let broke = false;
        raw.on('error', ({ name }) => (broke = name !== 'AbortError'));
        raw.once('close', () => {
          streams.delete(raw);
          if (broke || raw.readableEnded) void look();
        });
        return masterStream(raw, { name: `pod ${pod.name}`, tls });
      },
      close() {
        closed = true;
        for (const stream of streams) stream.destroy();
      },
    };
  }
}

const KEYS = { admin: 'admin-password', viewer: 'viewer-token' } as const;

/** Null: it was entered. */
async function tokenOf(
  server: ApiServer,
  { namespace, access }: KubernetesVia,
  secret: string | null,
): Promise<string | null> {
  if (access === 'own') return null;
  const name = secret ?? '';
  const token = secret === null ? undefined : (await readSecret(server, namespace, name))[KEYS[access]];
  if (!token)
    throw new Fault(
      'SECRET_UNREADABLE',
      `the Secret "${name}" in the namespace "${namespace}" has no ${KEYS[access]}: enter a token of your own`,
    );
  return token;
}

/** The masters' own name is that of their Service (`yardmaster.host` of the chart), and their authority is beside the certificate. */
async function trustOf(
  server: ApiServer,
  { via, ca }: KubernetesOptions,
  secret: string,
): Promise<{ servername: string; ca: string | null }> {
  const name = via.release.includes('yardmaster') ? via.release : `${via.release}-yardmaster`;
  const servername = `${name.slice(0, 40).replace(/-$/, '')}.${via.namespace}.svc`;
  return { servername, ca: ca ?? (await readSecret(server, via.namespace, secret))['ca.crt'] ?? null };
}
