import { execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { test } from '@playwright/test';
import type { ReadyLine } from '../../src/contract/process.ts';
import { NODE, temporaryFolder } from '../support/master.ts';
import { tryExample } from '../support/try-example.ts';

test('what a package is made of is whole: its server runs by its Node alone, and answers an event', async () => {
  const stage = temporaryFolder('stage');
  const { publicKey } = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const given = [resolve('.'), resolve(process.env['YARDMASTER_E2E_OUT'] ?? 'out'), stage, publicKey];
  const script = pathToFileURL(resolve('scripts/lib/package-stage.mjs')).href;
  const layOut = `import { layOut } from ${JSON.stringify(script)}; layOut(...${JSON.stringify(given)});`;
  execFileSync(NODE, ['--input-type=module', '-e', layOut]);
  const server = join(stage, 'server');
  const ports = ['--port', '--logstash-port', '--log-store-port', '--metrics-port'].flatMap((name) => [name, '0']);
  const master = spawn(
    join(stage, 'node', 'node'),
    [
      join(server, 'out/main/cli.js'),
      'master',
      '--json',
      '--workers',
      '1',
      '--examples',
      join(server, 'resources/examples'),
      '--data',
      join(stage, 'data'),
      ...ports,
    ],
    { env: { PATH: '' }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    const [line] = (await once(createInterface({ input: master.stdout }), 'line')) as [string];
    const { url, token } = JSON.parse(line) as ReadyLine;
    await tryExample(url, token);
  } finally {
    master.kill('SIGTERM');
    await once(master, 'exit');
    rmSync(stage, { recursive: true, force: true });
  }
});
