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

/** Whoever hears nothing for so long asks again: the balancer chooses another master. */
const PATIENCE_MS = 20_000;

/** Calls one after the other at one address, each repeated under its key until it is answered. */
function startCaller(url: string, apiKey: string) {
  const answers = new Map<string, unknown>();
  let last = 'nothing yet';
  let on = true;
  let isLeft = false;
  const done = (async () => {
    for (let number = 0; on; number++) {
      const key = `call-${number}`;
      while (!answers.has(key) && !isLeft) {
        const answer = await fetch(
          url + pathTo('events.send', { params: { workflowId: WORKFLOW, environment: 'dev' } }),
          {
            method: 'POST',
            headers: { 'api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': key },
            body: JSON.stringify([{ name: key }]),
            signal: AbortSignal.timeout(PATIENCE_MS),
          },
        )
          .then(async (response) => ({ status: response.status, text: await response.text() }))
          .catch((error: unknown) => ({ status: 0, text: String(error) }));
        last = `${key}: ${answer.status} ${answer.text.slice(0, 500)}`;
        if (answer.status === 200) answers.set(key, JSON.parse(answer.text));
      }
    }
  })();
  return {
    answers,
    /** Waits for what is to come of its calls; where it does not, the error says how they went. */
    async sees(what: Promise<unknown>) {
      await what.catch((error: unknown) => {
        throw new Error(`after ${answers.size} answers the caller last heard ${last}`, { cause: error });
      });
    },
    /** Once the call that is under way is answered. */
    async stop() {
      on = false;
      await done;
    },
    /** At once, answered or not. */
    leave() {
      on = false;
      isLeft = true;
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
  let caller: ReturnType<typeof startCaller> | null = null;
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
    const calls = (caller = startCaller(url, key));
    await calls.sees(expect(jobs.getByRole('row', { name: new RegExp(WORKFLOW) }).first()).toBeVisible());
    // Gone with a reload.
    await page.evaluate(() => Reflect.set(window, 'leftOpen', true));

    for (let kill = 0; kill < KILLS; kill++) {
      const owner: Member = await cluster.owner();
      const id = (await cluster.state()).partitions[0]?.owner ?? '';
      const before = calls.answers.size;
      const told = page.getByText(new RegExp(`^\\S+ took over from ${shortMasterId(id)}$`));
      // What is seen must be of this failover: the same master may have died before.
      await expect(told).toHaveCount(0);
      const died = performance.now();
      await owner.kill();
      await expect(told.first()).toBeVisible();
      const toldMs = performance.now() - died;
      await calls.sees(expect.poll(() => calls.answers.size, { timeout: 60_000 }).toBeGreaterThan(before + 10));
      test.info().annotations.push({ type: 'ms until the console says so', description: toldMs.toFixed(0) });
      await expect(page.getByRole('contentinfo', { name: 'Status' }).getByText('Live')).toBeVisible();
      await owner.start();
      await cluster.untilWhole();
    }
    await calls.stop();
    expect(await page.evaluate(() => Reflect.get(window, 'leftOpen'))).toBe(true);

    for (const [name, output] of calls.answers) expect(output).toEqual([{ greeting: `Hello ${name}` }]);
    const { totalItems } = await cluster.call('jobs.list', { query: { workflowId: WORKFLOW, size: 1 } });
    expect(totalItems).toBe(calls.answers.size);
  } finally {
    caller?.leave();
    const ended = cluster.ended();
    await context.close();
    await workers.stop();
    await cluster.close();
    expect(ended).toEqual([]);
  }
});
