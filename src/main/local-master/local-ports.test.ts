import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { DEFAULT_PREFERENCES, type DesktopPreferences } from '../../contract/desktop.ts';
import type { LocalStatus } from '../../contract/ipc.ts';
import { createLocalPorts } from './local-ports.ts';

const STATUS: LocalStatus = {
  state: 'off',
  url: null,
  pid: null,
  adopted: false,
  dataFolder: '/data',
  since: '',
  restarts: 0,
  message: null,
  code: null,
  ports: null,
  lines: [],
};

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** Another program that listens on a port of its own. */
async function otherProgram(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function portsWith(
  changed: Partial<DesktopPreferences>,
  given: { args?: string[]; env?: Record<string, string>; status?: Partial<LocalStatus> } = {},
) {
  const preferences = { ...DEFAULT_PREFERENCES, ...changed };
  const ports = createLocalPorts({
    args: given.args ?? [],
    env: given.env ?? {},
    preferences: () => ({ ...preferences }),
    status: () => ({ ...STATUS, ...given.status }),
  });
  const look = async (name: string) => (await ports.look()).find((port) => port.name === name);
  return { ports, preferences, look };
}

test('the master is started with the ports that are preferred, and with no word of the others', () => {
  expect(portsWith({}).ports.arguments()).toEqual([]);
  expect(portsWith({ masterPort: 8701, metricsPort: 8087 }).ports.arguments()).toEqual([
    '--port',
    '8701',
    '--metrics-port',
    '8087',
  ]);
});

test('what the command line or the environment names goes before, and is told', async () => {
  const { ports, look } = portsWith(
    { masterPort: 8701, logstashPort: 9001 },
    { args: ['--port=8702'], env: { YARDMASTER_LOGSTASH_PORT: '9002', YARDMASTER_METRICS_PORT: '' } },
  );
  expect(ports.arguments()).toEqual([]);
  expect(await look('masterPort')).toMatchObject({ fixedBy: '--port 8702', wanted: 8702, preferred: 8701 });
  expect(await look('logstashPort')).toMatchObject({ fixedBy: 'YARDMASTER_LOGSTASH_PORT=9002', wanted: 9002 });
  expect(await look('metricsPort')).toMatchObject({ fixedBy: null, wanted: 8086 });
});

test('a port that another program has is told with that program, and a free one is proposed', async () => {
  const port = await otherProgram();
  const { look } = portsWith({ masterPort: port });
  const seen = await look('masterPort');
  expect(seen).toMatchObject({ wanted: port, taken: true });
  if (process.platform === 'linux') expect(seen?.holder).toContain(`process ${process.pid}`);
  expect(seen?.free).toBeGreaterThan(port);
});

test('the proposed port is none that another part of the master asks for', async () => {
  const port = await otherProgram();
  const { look } = portsWith({ masterPort: port, logstashPort: port + 1, logStorePort: port + 2 });
  expect((await look('masterPort'))?.free).toBeGreaterThan(port + 2);
});

test('a port on which the master itself listens is not taken', async () => {
  const port = await otherProgram();
  const ports = { master: port, logstash: 9000, logStore: null, metrics: null };
  const { look } = portsWith({ masterPort: port }, { status: { state: 'running', ports } });
  expect(await look('masterPort')).toMatchObject({ current: port, taken: false, holder: null, free: null });
});

test('a preference that was changed since the start needs a restart, unless something else names the port', async () => {
  const { ports, preferences, look } = portsWith({}, { args: ['--metrics-port', '0'], status: { state: 'running' } });
  ports.arguments();
  expect((await look('masterPort'))?.restartNeeded).toBe(false);
  preferences.masterPort = 8701;
  preferences.metricsPort = 8087;
  expect((await look('masterPort'))?.restartNeeded).toBe(true);
  expect((await look('metricsPort'))?.restartNeeded).toBe(false);
  ports.arguments();
  expect((await look('masterPort'))?.restartNeeded).toBe(false);
});

test('a word that is no port is left to the master to refuse', async () => {
  expect(await portsWith({}, { args: ['--port', 'x'] }).look('masterPort')).toMatchObject({
    fixedBy: '--port x',
    taken: false,
  });
});
