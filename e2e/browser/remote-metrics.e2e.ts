import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CLI, forget, lastingPort, NODE, publish, startMaster } from '../support/master.ts';
import { expect, test } from '../support/test.ts';
import { greeter } from '../support/workflow-definitions.ts';

const run = promisify(execFile);

test('charts show metrics that InfluxDB keeps, and an operator sees at once when it cannot be reached', async ({
  page,
  master: _other,
}) => {
  // The metric store of another master stands for InfluxDB: it has the same API.
  const port = String(await lastingPort());
  let influx = await startMaster({ workers: 0, args: ['--metrics-port', port] });
  const env = {
    YARDMASTER_METRICS: `http://127.0.0.1:${port}`,
    YARDMASTER_METRICS_ORG: 'yardmaster',
    YARDMASTER_METRICS_BUCKET: 'operations',
    YARDMASTER_METRICS_TOKEN: influx.token,
  };
  const { stdout } = await run(NODE, [CLI, 'metrics', 'provision', '--json'], { env: { ...process.env, ...env } });
  expect((JSON.parse(stdout) as { steps: { name: string }[] }).steps.map(({ name }) => name).slice(0, 3)).toEqual([
    'operations',
    'operations_jobs',
    'operations_1m',
  ]);
  const master = await startMaster({ workers: 1, env });
  await publish(master, 'remote-greeter', greeter);
  await master.event('remote-greeter/dev', [{ name: 'Ada' }]);
  const query = {
    ...{ measurement: 'task_metrics', field: 'counter_input_event_count' },
    ...({ aggregate: 'count', groupBy: 'workflow_id' } as const),
  };
  await expect
    .poll(async () => (await master.call('metrics.series', { query })).series.map(({ tags }) => tags))
    .toEqual([{ workflow_id: 'remote-greeter' }]);
  expect((await master.call('settings.get')).ports.metrics).toBeNull();

  await page.context().request.post(`${master.url}/api/v1/session`, { data: { token: master.token } });
  await page.goto(`${master.url}/settings?tab=about`);
  const stores = page.getByRole('region', { name: 'Logs and metrics' });
  await expect(stores).toContainText('InfluxDB Connected');
  await expect(stores).toContainText(env.YARDMASTER_METRICS);

  await influx.kill();
  await page.goto(master.url);
  const failing = page.getByRole('region', { name: 'Metric store failing' });
  await expect(failing).toContainText('nothing listens at its address');
  await expect(failing).toContainText('waiting on disk');

  influx = await startMaster({ workers: 0, data: influx.data, args: ['--metrics-port', port] });
  await expect(failing).toHaveCount(0);
  await expect.poll(async () => (await master.call('settings.get')).metrics.queue?.lost).toBe(0);
  await master.stop();
  await influx.stop();
  forget(master.data);
  forget(influx.data);
});
