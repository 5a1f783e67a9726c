import { connect } from 'node:net';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { LIMITS } from '../../../contract/limits.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { startFakeStore } from './log-store.fake.ts';
import { startPipelines } from './pipelines.ts';
import type { Answer, Question } from './port.ts';
import { masterTarget, settingsOf } from './settings.ts';

/** Tasks with an even number are this worker's; each answer takes a moment. */
async function vouch(_tokenId: string, { tasks, jobs, workers }: Question): Promise<Answer> {
  await new Promise(setImmediate);
  return {
    tasks: tasks.map(({ task }) =>
      Number(task.slice(2)) % 2 === 0 ? { job: 'j', worker: 'w', workflow: null } : null,
    ),
    jobs: jobs.map(() => null),
    workers: workers.map((worker) => worker === 'w'),
  };
}

it('asks what a worker may say without mixing its lines up, also of one that hangs up', async () => {
  const store = await startFakeStore();
  const pipelines = await startPipelines({
    ...settingsOf(LIMITS),
    folder: temporaryFolder('claims'),
    host: '127.0.0.1',
    port: 0,
    replicas: 1,
    target: masterTarget(store.url, null),
    tls: null,
    tokenRequired: false,
    tokens: {
      identify: () => ({ tokenId: 't-1', role: 'worker' }),
      isActive: () => true,
      vouch,
      onEnded: () => () => undefined,
    },
    durable: false,
    log: () => undefined,
  });
  const numbers = Array.from({ length: 5000 }, (_, n) => n);
  const lines = numbers.map((n) =>
    JSON.stringify({ msg: `m${n}`, task_id: `t-${n % 700}`, job_id: 'j', worker_id: 'w', source: 'task' }),
  );
  const socket = connect(pipelines.port, '127.0.0.1').resume();
  socket.end(['AUTH yt_w', ...lines].join('\n'));
  await once(socket, 'close');
  await expect.poll(() => store.lines.length).toBe(numbers.length);
  expect(store.messages()).toEqual(numbers.map((n) => `m${n}`));
  const records = store.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  for (const [n, record] of records.entries()) expect('task_id' in record).toBe((n % 700) % 2 === 0);
  const forged = records.filter((record) => 'claimed_task_id' in record).length;
  await expect.poll(pipelines.stats).toMatchObject({ forged, connections: 0 });
  await pipelines.close();
  await store.close();
});
