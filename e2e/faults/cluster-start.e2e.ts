import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from '@playwright/test';
import { forget, NODE, temporaryFolder } from '../support/master.ts';
import { processesWith } from '../support/processes.ts';

/** As a new user would type it. Ports of logs and metrics are any, as other tests run beside. */
function startCluster(data: string) {
  const child = spawn(
    NODE,
    [
      resolve('scripts/start.mjs'),
      ...['--cluster', '2', '--data', data, '--port', '0', '--workers', '2'],
      ...['--logstash-port', '0', '--log-store-port', '0', '--metrics-port', '0'],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const said: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => said.push(line));
  /** The first group of the pattern in what it said, once it says so. */
  const says = async (pattern: RegExp): Promise<string> => {
    const find = () => pattern.exec(said.join('\n'));
    await expect.poll(() => find() ?? child.exitCode, { timeout: 120_000, message: `${pattern}` }).not.toBeNull();
    const found = find();
    if (!found)
      throw new Error(`it ended with exit code ${child.exitCode} without saying ${pattern}:\n${said.join('\n')}`);
    return found[1] ?? '';
  };
  return { child, says };
}

/** The line to paste, without a shell. */
async function tryIt(curl: string): Promise<unknown> {
  const [url = ''] = /http\S+/.exec(curl) ?? [];
  const [, key = ''] = /api-key: (\S+?)'/.exec(curl) ?? [];
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'api-key': key, 'content-type': 'application/json', connection: 'close' },
    body: '[{"content":"hello"}]',
  });
  return answer.json();
}

test('npm start -- --cluster: a person kills the owner and loses nothing; nothing is left behind, however it ends', async () => {
  const data = join(temporaryFolder('cluster-start'), 'data');
  // PostgreSQL may run as another user.
  chmodSync(join(data, '..'), 0o711);
  const first = startCluster(data);
  const second = { child: first.child };
  try {
    const owner = Number(await first.says(/kill -9 (\d+)\s+# the owner/));
    const curl = await first.says(/^( {2}curl .*)$/m);
    expect(await tryIt(curl)).toEqual([{ content: 'HELLO!', length: 6 }]);
    const page = await first.says(/Console\s+(http\S+)/);
    const signIn = await fetch(new URL('/api/v1/session', page), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: page.split('#sign-in=')[1] }),
    });
    expect(signIn.status).toBe(204);
    expect(statSync(join(data, 'cluster.json')).mode & 0o777).toBe(0o600);
    // The password of the database is in no process list.
    expect(processesWith(data).filter((line) => /postgres:\/\//.test(line))).toEqual([]);

    process.kill(owner, 'SIGKILL');
    await first.says(/(master \d) \(pid \d+\) was ended by SIGKILL\. It starts again/);
    await first.says(/(master \d) owns the state now/);
    await expect.poll(() => tryIt(curl)).toEqual([{ content: 'HELLO!', length: 6 }]);
    await first.says(/(master \d) is back/);

    first.child.kill('SIGINT');
    const [code] = (await once(first.child, 'exit')) as [number];
    expect(code).toBe(0);
    expect(processesWith(data)).toEqual([]);

    const again = startCluster(data);
    second.child = again.child;
    // The same key still, and the jobs of before.
    expect(await tryIt(await again.says(/^( {2}curl .*)$/m))).toEqual([{ content: 'HELLO!', length: 6 }]);
    again.child.kill('SIGKILL');
    await expect.poll(() => processesWith(data), { timeout: 60_000 }).toEqual([]);
  } finally {
    for (const { child } of [first, second]) child.kill('SIGKILL');
    await expect.poll(() => processesWith(data), { timeout: 60_000 }).toEqual([]);
    forget(join(data, '..'));
  }
});
