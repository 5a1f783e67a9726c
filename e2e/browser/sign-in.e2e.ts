import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { expect, test } from '../support/test.ts';
import { CLI, EXAMPLES, forget, NODE, temporaryFolder } from '../support/master.ts';

test('the printed link signs one browser in, once; the printed curl line answers', async ({ systemBrowser }) => {
  const data = temporaryFolder('data');
  const master = spawn(
    NODE,
    [CLI, 'master', '--port', '0', '--logstash-port', '0', '--data', data, '--examples', EXAMPLES],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    const lines = createInterface({ input: master.stdout });
    let link = '';
    let curl = '';
    for await (const text of lines) {
      link ||= /http\S+#sign-in=\S+/.exec(text)?.[0] ?? '';
      curl ||= /^\s*curl .*/.exec(text)?.[0] ?? '';
      if (link && curl) break;
    }
    const printed = spawn('sh', ['-c', `${curl} -w ' %{http_code}'`], { stdio: ['ignore', 'pipe', 'inherit'] });
    expect((await printed.stdout.setEncoding('utf8').toArray()).join('')).toBe('[{"content":"HELLO!","length":6}] 200');

    const first = await (await systemBrowser.newContext()).newPage();
    await first.goto(link);
    await expect(first.getByRole('heading', { name: 'Overview' })).toBeVisible();
    expect(first.url()).not.toContain('sign-in');
    await first.reload();
    await expect(first.getByRole('heading', { name: 'Overview' })).toBeVisible();

    const second = await (await systemBrowser.newContext()).newPage();
    await second.goto(link);
    await expect(second.getByRole('heading', { name: 'Sign in to Yardmaster' })).toBeVisible();
    await first.context().close();
    await second.context().close();
  } finally {
    const ended = once(master, 'exit');
    master.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
    forget(data);
  }
});
