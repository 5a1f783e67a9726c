import { connect } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import type { RunningMaster } from '../../../contract/process.ts';
import { createApiClient, fetchTransport, type ApiClient } from '../../../lib/api-client.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { openMaster } from '../../master.fixture.ts';
import { simple } from '../../testing/http.fixture.ts';
import { connectWorker } from '../../testing/worker.fake.ts';

/** Lines of workers, over the real port of a whole master. */
const ADMIN = 'a'.repeat(40);
let master: RunningMaster;
let api: ApiClient;
afterEach(() => master.close());

function send(token: string, ...lines: object[]): void {
  const socket = connect(master.ready.ports.logstash, '127.0.0.1');
  socket.on('error', () => {}).resume();
  socket.end([`AUTH ${token}`, ...lines.map((line) => JSON.stringify(line))].map((line) => `${line}\n`).join(''));
}
const found = async (query: object) =>
  (await api.call('logs.search', { query: { limit: 100, order: 'asc', ...query } as never })).records;

it('a worker cannot write into the log of a job that it does not run', async () => {
  master = await openMaster({ data: temporaryFolder('claims'), adminToken: ADMIN });
  api = createApiClient(fetchTransport({ url: master.ready.url, token: ADMIN }, fetch));
  const newToken = async (name: string) => (await api.call('tokens.create', { body: { name, role: 'worker' } })).token;
  const [good, bad] = [await newToken('good'), await newToken('bad')];
  const url = `${master.ready.url.replace('http', 'ws')}/api/v1/worker`;
  const worker = await connectWorker({ url, token: good });
  const stranger = await connectWorker({ url, token: bad, only: 'handlers' });

  await api.call('workflows.create', { body: { id: 'w', name: 'w' } });
  const { hash } = await api.call('commits.create', {
    params: { id: 'w' },
    json: JSON.stringify({ definition: simple, message: 'First', parent: null }),
  });
  const { jobId } = await api.call('jobs.create', {
    body: { workflowId: 'w', commit: hash, inputs: [{ content: 'x' }] },
  });
  const lease = await worker.lease();
  const line = { job_id: jobId, task_id: lease.id, source: 'task' };
  send(good, { ...line, _msg: 'true', worker_id: worker.id });
  send(
    bad,
    { ...line, _msg: 'forged task', worker_id: stranger.id },
    { job_id: jobId, _msg: 'forged job' },
    { ...line, _msg: 'forged worker', worker_id: worker.id },
  );
  await vi.waitFor(async () => expect(await found({ query: '*' })).toHaveLength(4));
  expect(await found({ query: '*', job_id: jobId })).toMatchObject([{ _msg: 'true', worker_id: worker.id }]);
  expect(await found({ query: '*', task_id: lease.id })).toHaveLength(1);
  expect(await found({ query: '*', worker_id: worker.id })).toHaveLength(1);
  expect(await found({ query: `claimed_job_id:="${jobId}"` })).toHaveLength(3);
  // The thread of the pipeline tells its counts from time to time.
  await vi.waitFor(async () => expect(await api.call('logs.pipeline', {})).toMatchObject({ forged: 3 }));
});
