import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import type { Channel } from '../../src/contract/alert-channels.ts';
import type { Alert, AlertHistory } from '../../src/contract/alerts.ts';
import type { Page } from '../../src/contract/shapes.ts';
import { forget, publish, startMaster, temporaryFolder, type TestMaster } from '../support/master.ts';

const node = (id: string, type: string, config: Record<string, unknown> = {}, more: Record<string, unknown> = {}) => ({
  id,
  type,
  name: id,
  config,
  ...more,
});
const broken = {
  schemaVersion: 1,
  name: 'Broken',
  response: 'list',
  output: 'out',
  nodes: [
    node('in', 'input'),
    node('fail', 'transform', { expression: '$error("no")' }, { retries: 0 }),
    node('out', 'output'),
  ],
  edges: [
    { from: 'in', to: 'fail' },
    { from: 'fail', to: 'out' },
  ],
};
const TASKS = 10_000;

test('a storm of failing tasks pages once, a killed master does not page again, and its end is told once', async () => {
  const pages: string[] = [];
  const receiver = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      pages.push((JSON.parse(text) as { title: string }).title);
      response.end('ok');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const data = temporaryFolder('alerts');
  const choices = { data, workers: 2, capacity: 50 };
  let master: TestMaster = await startMaster(choices);
  const send = <T>(method: string, path: string, body: unknown) =>
    master.api<T>(path, { method, body: JSON.stringify(body) });
  const sent = async () =>
    (await master.api<Page<AlertHistory>>('/api/v1/alerts/history?kind=notification')).items.map(
      ({ status, ok, channelName }) => [status, ok, channelName],
    );
  try {
    const { id } = await send<Channel>('POST', '/api/v1/alerts/channels', {
      name: 'Hook',
      kind: 'webhook',
      settings: { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/` },
    });
    await send('PUT', '/api/v1/alerts/policy', {
      channels: [id],
      groupWaitSeconds: 0.2,
      groupIntervalSeconds: 1,
      repeatIntervalSeconds: 3600,
    });
    await send('PATCH', '/api/v1/alerts/rules/built-in-failure-rate', {
      forSeconds: 0,
      intervalSeconds: 1,
      keepFiringSeconds: 8,
      rangeSeconds: 5,
    });
    await publish(master, 'broken', broken);
    const { jobId } = await send<{ jobId: string }>('POST', '/api/v1/jobs', {
      workflowId: 'broken',
      environment: 'dev',
      inputs: Array.from({ length: TASKS }, (_, n) => ({ n })),
    });
    await expect.poll(() => pages, { timeout: 60_000 }).toEqual(['[FIRING:1] Failure rate']);
    // Between the receiver's answer and the note of it lies a moment in which a kill would send the same message, under the same id, again.
    await expect.poll(sent, { timeout: 30_000 }).toEqual([['firing', true, 'Hook']]);

    await master.kill();
    master = await startMaster(choices);
    await expect.poll(async () => (await master.job(jobId)).taskCounters.failedTasks, { timeout: 90_000 }).toBe(TASKS);
    // Nothing fails any more, and the time that it keeps firing passes: it is longer than the master was away.
    await expect
      .poll(
        async () =>
          (await master.api<Page<Alert>>('/api/v1/alerts')).items.filter(({ ruleName }) => ruleName === 'Failure rate'),
        { timeout: 30_000 },
      )
      .toEqual([]);
    await expect.poll(() => pages.length, { timeout: 30_000 }).toBe(2);
    expect(pages).toEqual(['[FIRING:1] Failure rate', '[RESOLVED:1] Failure rate']);
    await expect.poll(sent, { timeout: 30_000 }).toEqual([
      ['resolved', true, 'Hook'],
      ['firing', true, 'Hook'],
    ]);
  } finally {
    await master.stop();
    receiver.close();
    forget(data);
  }
});
