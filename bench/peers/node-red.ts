import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const NODE_RED_PATH = '/upper';

/** HTTP in, a function that parses nothing and keeps nothing, a template, HTTP out: the two steps of the workflow `upper`. */
const FLOW = [
  { id: 'tab', type: 'tab', label: 'bench' },
  { id: 'in', z: 'tab', type: 'http in', url: NODE_RED_PATH, method: 'post', wires: [['upper']] },
  {
    id: 'upper',
    z: 'tab',
    type: 'function',
    func: 'msg.payload = { content: msg.payload[0].content.toUpperCase() }; return msg;',
    outputs: 1,
    wires: [['shout']],
  },
  {
    id: 'shout',
    z: 'tab',
    type: 'template',
    field: 'payload',
    fieldType: 'msg',
    syntax: 'mustache',
    template: '["{{payload.content}}!"]',
    output: 'str',
    wires: [['out']],
  },
  {
    id: 'out',
    z: 'tab',
    type: 'http response',
    statusCode: '200',
    headers: { 'content-type': 'application/json' },
    wires: [],
  },
];

const script = (): string | null => {
  try {
    return createRequire(import.meta.url).resolve('node-red/red.js');
  } catch {
    return null;
  }
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Node-RED with one flow that answers a POST, without its editor; null where bench/peers does not have it. */
export async function startNodeRed(): Promise<{ pid: number; port: number; stop(): Promise<void> } | null> {
  const red = script();
  if (red === null) return null;
  const folder = mkdtempSync(join(tmpdir(), 'bench-node-red-'));
  const port = await freePort();
  writeFileSync(join(folder, 'flows.json'), JSON.stringify(FLOW));
  writeFileSync(
    join(folder, 'settings.js'),
    `module.exports = ${JSON.stringify({ uiHost: '127.0.0.1', uiPort: port, httpAdminRoot: false, flowFile: 'flows.json', logging: { console: { level: 'fatal' } } })};`,
  );
  const child = spawn(process.execPath, [red, '--userDir', folder, '--settings', join(folder, 'settings.js')], {
    stdio: 'ignore',
  });
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}${NODE_RED_PATH}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '[{"content":"a"}]',
    }).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(`Node-RED ended with ${child.exitCode}`);
    await sleep(50);
  }
  return {
    pid: child.pid as number,
    port,
    async stop() {
      child.kill();
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
