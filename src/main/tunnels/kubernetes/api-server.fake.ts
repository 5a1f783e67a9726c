import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { connect, type Socket } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { createAuthority } from '../../../lib/certificate-authority.fixture.ts';
import { portOf } from '../../../lib/listen-on-port.ts';

export interface FakePod {
  name: string;
  namespace: string;
  release: string;
  ready: boolean;
  /** Where its master listens on this machine. */
  port: number;
  secret?: string;
  tlsSecret?: string;
}

export interface FakeApiServer {
  readonly url: string;
  readonly authority: string;
  readonly pods: FakePod[];
  /** `namespace/name` to entries. */
  readonly secrets: Map<string, Record<string, string>>;
  /** Tokens that it takes. */
  readonly tokens: Set<string>;
  /** Paths that this account may not use. */
  readonly forbidden: RegExp[];
  /** Method and path of what was asked, oldest first. */
  readonly asked: string[];
  /** As one file with a context `works`; `user` as it stands in the file. */
  kubeconfig(user?: Record<string, unknown>, change?: { namespace?: string; authority?: string }): string;
  /** What goes on through a pod ends, as when the pod does. */
  cut(pod?: string): void;
  close(): Promise<void>;
}

/**
 * The part of a Kubernetes API server that a connection uses: over TLS, lists of pods and services by labels, Secrets, and
 * port-forward by WebSocket as the kubelet has it (`v4.channel.k8s.io`: data and error channel of a port, each beginning with the
 * port in two bytes). What is forwarded is real: the pod's port of this machine.
 */
export async function startApiServer(): Promise<FakeApiServer> {
  const authority = createAuthority('Kubernetes');
  const { cert, key } = authority.issue({ addresses: ['127.0.0.1'] });
  const server = createServer({ cert, key });
  const sockets = new Set<Socket>();
  const forwards = new Map<WebSocket, string>();
  const upgrades = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => (offered.has('v4.channel.k8s.io') ? 'v4.channel.k8s.io' : false),
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://127.0.0.1:${portOf(server)}`;

  const fake: FakeApiServer = {
    url,
    authority: authority.cert,
    pods: [],
    secrets: new Map(),
    tokens: new Set(['good']),
    forbidden: [],
    asked: [],
    kubeconfig: (user = { token: 'good' }, { namespace = 'jobs', authority: ca = authority.cert } = {}) =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'works',
        clusters: [
          {
            name: 'here',
            cluster: { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') },
          },
        ],
        users: [{ name: 'me', user }],
        contexts: [{ name: 'works', context: { cluster: 'here', user: 'me', namespace } }],
      }),
    cut(pod) {
      for (const [socket, name] of forwards) if (pod === undefined || name === pod) socket.terminate();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await close(server);
    },
  };

  const refusal = (request: IncomingMessage, path: string): { code: number; message: string } | null => {
    fake.asked.push(`${request.method} ${path}`);
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    if (!fake.tokens.has(token)) return { code: 401, message: 'Unauthorized' };
    if (fake.forbidden.some((one) => one.test(path))) return { code: 403, message: `User "me" cannot get ${path}` };
    return null;
  };
  const send = (response: ServerResponse, code: number, body: object) =>
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const status = (response: ServerResponse, code: number, message: string) =>
    send(response, code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, message });

  server.on('request', (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    const refused = refusal(request, pathname);
    if (refused) return void status(response, refused.code, refused.message);
    const [, namespace, kind = '', name] =
      /^\/api\/v1(?:\/namespaces\/([^/]+))?\/(pods|services|secrets)(?:\/([^/]+))?$/.exec(pathname) ?? [];
    if (kind === 'secrets') {
      const data = fake.secrets.get(`${namespace}/${name}`);
      if (!data) return void status(response, 404, `secrets "${name}" not found`);
      const encoded = Object.entries(data).map(([entry, text]) => [entry, Buffer.from(text).toString('base64')]);
      return void send(response, 200, { kind: 'Secret', data: Object.fromEntries(encoded) });
    }
    const wanted = (searchParams.get('labelSelector') ?? '').split(',').map((one) => one.split('='));
    const items = fake.pods
      .filter((pod) => namespace === undefined || pod.namespace === namespace)
      .map((pod): { metadata: { labels: Record<string, string> } } => (kind === 'pods' ? podOf(pod) : serviceOf(pod)))
      .filter(({ metadata }) => wanted.every(([label = '', value]) => metadata.labels[label] === value));
    send(response, 200, { kind: 'List', items });
  });

  server.on('upgrade', (request, socket, head) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    const refused = refusal(request, pathname);
    const [, namespace, name] = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)\/portforward$/.exec(pathname) ?? [];
    const pod = fake.pods.find((one) => one.namespace === namespace && one.name === name);
    const code = refused?.code ?? (pod ? null : 404);
    if (code !== null || !pod) return void socket.end(`HTTP/1.1 ${code} Refused\r\nconnection: close\r\n\r\n`);
    upgrades.handleUpgrade(request, socket, head, (opened) => {
      forwards.set(opened, pod.name);
      opened.on('close', () => forwards.delete(opened));
      forward(opened, pod, Number(searchParams.get('ports')));
    });
  });
  return fake;
}

/** As the kubelet forwards: a channel of data and one of errors, which begin with the port in two bytes, the low one first. */
function forward(opened: WebSocket, pod: FakePod, port: number): void {
  const number = Buffer.of(port & 0xff, port >> 8);
  const channel = (index: number, bytes: Uint8Array) => opened.send(Buffer.concat([Buffer.of(index), bytes]));
  channel(0, number);
  channel(1, number);
  const inside = connect(pod.port, '127.0.0.1');
  inside.on('data', (bytes) => channel(0, bytes));
  inside.on('error', ({ message }) => {
    channel(1, Buffer.from(`error forwarding port ${port} to pod ${pod.name}: ${message}`));
  });
  inside.once('close', () => opened.close());
  opened.on('message', (message: Buffer) => {
    if (message[0] === 0) inside.write(message.subarray(1));
  });
  opened.once('close', () => inside.destroy());
  opened.on('error', () => inside.destroy());
}

const labelsOf = ({ release }: FakePod): Record<string, string> => ({
  'app.kubernetes.io/name': 'yardmaster',
  'app.kubernetes.io/instance': release,
  'app.kubernetes.io/component': 'masters',
  'app.kubernetes.io/version': '0.1.0',
});

const podOf = (pod: FakePod) => ({
  metadata: { name: pod.name, namespace: pod.namespace, labels: labelsOf(pod) },
  spec: {
    containers: [{ name: 'master', ports: [{ name: 'http', containerPort: 8700 }] }],
    volumes: [
      { name: 'tmp', emptyDir: {} },
      { name: 'secrets', secret: { secretName: pod.secret ?? 'yardmaster-admin' } },
      ...(pod.tlsSecret ? [{ name: 'tls', secret: { secretName: pod.tlsSecret } }] : []),
    ],
  },
  status: { conditions: [{ type: 'Ready', status: pod.ready ? 'True' : 'False' }] },
});

const serviceOf = (pod: FakePod) => ({
  metadata: { name: pod.release, namespace: pod.namespace, labels: labelsOf(pod) },
  spec: { ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
});

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}
