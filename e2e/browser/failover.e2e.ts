import { pathTo } from '../../src/lib/api-client.ts';
import { shortMasterId } from '../../src/lib/cluster.ts';
import { startCluster, type Member, type TestCluster } from '../support/cluster.ts';
import { publish } from '../support/master.ts';
import { startRandomWorkers } from '../support/random-workers.ts';
import { expect, test } from '../support/test.ts';
import { greeter } from '../support/workflow-definitions.ts';

/** YARDMASTER_FAILOVER_KILLS: how often the owner dies. */
const KILLS = Number(process.env['YARDMASTER_FAILOVER_KILLS'] ?? 1);
const WORKFLOW = 'failover-greeter';

/** Calls one after the other at one address, each repeated under its key until it is answered. */
function startCaller(url: string, apiKey: string) {
  const answers = new Map<string, unknown>();
  let on = true;
  const done = (async () => {
    for (let number = 0; on; number++) {
      const key = `call-${number}`;
      while (!answers.has(key)) {
        const answer = await fetch(
          url + pathTo('events.send', { params: { workflowId: WORKFLOW, environment: 'dev' } }),
          {
            method: 'POST',
            headers: { 'api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': key },
            body: JSON.stringify([{ name: key }]),
          },
        ).catch(() => null);
        if (answer?.status === 200) answers.set(key, await answer.json().catch(() => null));
      }
    }
  })();
  return {
    answers,
    async stop() {
      on = false;
      await done;
    },
  };
}

test('the owner dies: the console that was left open says who took over and goes on; no call is lost or doubled', async ({
  systemBrowser,
}) => {
  test.slow();
  const cluster: TestCluster = await startCluster(3, {});
  const url = cluster.workersUrl;
  const { token } = await cluster.call('tokens.create', { body: { name: 'workers', role: 'worker' } });
  const workers = startRandomWorkers(url, token, 2, 4);
  const context = await systemBrowser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  try {
    await publish(cluster, WORKFLOW, greeter);
    const { key } = await cluster.call('keys.create', {
      body: { name: 'calls', workflows: [WORKFLOW], environments: ['dev'] },
    });
    const page = await context.newPage();
    expect(
      (await page.request.post(url + pathTo('session.signIn'), { data: { token: cluster.adminToken } })).status(),
    ).toBe(204);
    await page.goto(`${url}/jobs`);
    const jobs = page.getByRole('grid', { name: 'Jobs' });
    const caller = startCaller(url, key);
    await expect(jobs.getByRole('row', { name: new RegExp(WORKFLOW) }).first()).toBeVisible();
    // Gone with a reload.
    await page.evaluate(() => Reflect.set(window, 'leftOpen', true));

    for (let kill = 0; kill < KILLS; kill++) {
      const owner: Member = await cluster.owner();
      const id = (await cluster.state()).partitions[0]?.owner ?? '';
      const before = caller.answers.size;
      const told = page.getByText(new RegExp(`^\\S+ took over from ${shortMasterId(id)}$`));
      // What is seen must be of this failover: the same master may have died before.
      await expect(told).toHaveCount(0);
      const died = performance.now();
      await owner.kill();
      await expect(told.first()).toBeVisible();
      const toldMs = performance.now() - died;
      await expect.poll(() => caller.answers.size, { timeout: 60_000 }).toBeGreaterThan(before + 10);
      test.info().annotations.push({ type: 'ms until the console says so', description: toldMs.toFixed(0) });
      await expect(page.getByRole('contentinfo', { name: 'Status' }).getByText('Live')).toBeVisible();
      await owner.start();
      await cluster.untilWhole();
    }
    await caller.stop();
    expect(await page.evaluate(() => Reflect.get(window, 'leftOpen'))).toBe(true);

    for (const [name, output] of caller.answers) expect(output).toEqual([{ greeting: `Hello ${name}` }]);
    const { totalItems } = await cluster.call('jobs.list', { query: { workflowId: WORKFLOW, size: 1 } });
    expect(totalItems).toBe(caller.answers.size);
  } finally {
    await context.close();
    await workers.stop();
    await cluster.close();
  }
});
