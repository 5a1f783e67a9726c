import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CLI, forget, lastingPort, NODE, publish, startMaster, type TestMaster } from '../support/master.ts';
import { expect, test } from '../support/test.ts';
import { greeter } from '../support/workflow-definitions.ts';

const run = promisify(execFile);

/** Another master stands for VictoriaLogs and InfluxDB: it has the same APIs. */
const openStores = (ports: { logs: string; metrics: string }, data?: string) =>
  startMaster({
    ...{ workers: 0, args: ['--log-store-port', ports.logs, '--metrics-port', ports.metrics] },
    ...(data === undefined ? {} : { data }),
  });

async function greet(master: TestMaster, name: string): Promise<string> {
  const answer = await master.event('remote-logs-greeter/dev', [{ name }], { prefer: 'respond-async' });
  return ((await answer.json()) as { jobId: string }).jobId;
}
const linesOf = async (master: TestMaster, jobId: string) =>
  (await master.call('logs.search', { query: { query: `job_id:=${jobId} "greeted somebody"` } })).records.length;

test('the console works over remote stores, says in words that they are away, and what waited is there once', async ({
  page,
  master: _other,
}) => {
  const ports = { logs: String(await lastingPort()), metrics: String(await lastingPort()) };
  let stores = await openStores(ports);
  const env = {
    YARDMASTER_LOGS: `http://127.0.0.1:${ports.logs}`,
    YARDMASTER_LOGS_TOKEN: stores.token,
    YARDMASTER_METRICS: `http://127.0.0.1:${ports.metrics}`,
    YARDMASTER_METRICS_ORG: 'yardmaster',
    YARDMASTER_METRICS_BUCKET: 'operations',
    YARDMASTER_METRICS_TOKEN: stores.token,
  };
  await run(NODE, [CLI, 'metrics', 'provision', '--json'], { env: { ...process.env, ...env } });
  const master = await startMaster({ workers: 1, env });
  await publish(master, 'remote-logs-greeter', greeter);
  const first = await greet(master, 'Ada');
  await expect.poll(() => linesOf(master, first)).toBe(1);

  // Search, the job's own lines, and a live tail.
  await page.context().request.post(`${master.url}/api/v1/session`, { data: { token: master.token } });
  const lines = page.getByText('greeted somebody', { exact: true });
  await page.goto(`${master.url}/logs?query=${encodeURIComponent('"greeted somebody"')}`);
  await expect(lines).toHaveCount(1);
  await page.goto(`${master.url}/jobs/${first}?tab=logs`);
  await expect(lines.first()).toBeVisible();
  await page.goto(`${master.url}/logs?query=${encodeURIComponent('"greeted somebody"')}&live=on`);
  await expect(lines).toHaveCount(1);
  const second = await greet(master, 'Grace');
  await expect(lines).toHaveCount(2);
  await expect.poll(() => linesOf(master, second)).toBe(1);

  // Charts.
  await page.goto(`${master.url}/dashboards/job-monitoring`);
  const finished = page.getByRole('region', { name: 'Finished jobs', exact: true });
  await expect(finished.getByText('2', { exact: true }).first()).toBeVisible();

  // Both are away: the console says so in words, and jobs go on.
  await stores.kill();
  const third = await greet(master, 'Alan');
  await expect.poll(async () => (await master.job(third)).status).toBe('COMPLETED');
  await page.goto(`${master.url}/logs?query=${encodeURIComponent('"greeted somebody"')}`);
  await expect(
    page
      .getByRole('alert')
      .filter({ hasText: /nothing listens at its address/ })
      .first(),
  ).toBeVisible();
  await page.goto(master.url);
  const failing = page.getByRole('region', { name: 'Log store failing' });
  await expect(failing).toContainText('nothing listens at its address');
  await expect(failing).toContainText('waiting on disk');
  await page.goto(`${master.url}/settings?tab=about`);
  const states = page.getByRole('region', { name: 'Logs and metrics' });
  await expect(states).toContainText('VictoriaLogs Failing');
  await expect(states).toContainText('InfluxDB Failing');

  // They are back: what waited is delivered, none twice.
  stores = await openStores(ports, stores.data);
  await expect(states).toContainText('VictoriaLogs Connected', { timeout: 60_000 });
  await expect.poll(async () => (await master.call('settings.get')).logs.queue?.items, { timeout: 60_000 }).toBe(0);
  await expect.poll(() => linesOf(master, third)).toBe(1);
  expect([await linesOf(master, first), await linesOf(master, second)]).toEqual([1, 1]);
  await page.goto(`${master.url}/logs?query=${encodeURIComponent('"greeted somebody"')}`);
  await expect(lines).toHaveCount(3);
  expect((await master.call('settings.get')).logs.queue?.lost).toBe(0);
  await master.stop();
  await stores.stop();
  forget(master.data);
  forget(stores.data);
});
