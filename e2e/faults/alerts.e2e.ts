import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
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
  const sent = async () =>
    (await master.call('alerts.history', { query: { kind: 'notification' } })).items.map(
      ({ status, ok, channelName }) => [status, ok, channelName],
    );
  try {
    const { id } = await master.call('channels.create', {
      body: {
        name: 'Hook',
        kind: 'webhook',
        settings: { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/` },
      },
    });
    await master.call('alertPolicy.replace', {
      body: {
        channels: [id],
        groupWaitSeconds: 0.2,
        groupIntervalSeconds: 1,
        repeatIntervalSeconds: 3600,
      },
    });
    await master.call('alertRules.update', {
      params: { id: 'built-in-failure-rate' },
      body: {
        forSeconds: 0,
        intervalSeconds: 1,
        keepFiringSeconds: 8,
        rangeSeconds: 5,
      },
    });
    await publish(master, 'broken', broken);
    const { jobId } = await master.call('jobs.create', {
      body: {
        workflowId: 'broken',
        environment: 'dev',
        inputs: Array.from({ length: TASKS }, (_, n) => ({ n })),
      },
    });
    await expect.poll(() => pages, { timeout: 60_000 }).toEqual(['[FIRING:1] Failure rate']);
    // Between the receiver's answer and the note of it lies a moment in which a kill would send the same message, under the same id, again.
    await expect.poll(sent).toEqual([['firing', true, 'Hook']]);

    await master.kill();
    master = await startMaster(choices);
    await expect.poll(async () => (await master.job(jobId)).taskCounters.failedTasks, { timeout: 90_000 }).toBe(TASKS);
    // Nothing fails any more, and the time that it keeps firing passes: it is longer than the master was away.
    await expect
      .poll(async () => (await master.call('alerts.list')).items.filter(({ ruleName }) => ruleName === 'Failure rate'))
      .toEqual([]);
    await expect.poll(() => pages.length).toBe(2);
    expect(pages).toEqual(['[FIRING:1] Failure rate', '[RESOLVED:1] Failure rate']);
    await expect.poll(sent).toEqual([
      ['resolved', true, 'Hook'],
      ['firing', true, 'Hook'],
    ]);
  } finally {
    await master.stop();
    receiver.close();
    forget(data);
  }
});
