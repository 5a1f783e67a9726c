import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LIMITS } from '../../../contract/limits.ts';
import { systemClock } from '../../../lib/clock.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { createLogs } from '../../logs/logs.ts';
import type { Logs } from '../../logs/port.ts';
import { startHarness, tester, type Harness } from '../../testing/http.fixture.ts';
import { granted, letPersonIn, makeProject } from '../../testing/person.fixture.ts';

let logs: Logs;
let h: Harness;
beforeAll(async () => {
  logs = await createLogs({ folder: temporaryFolder('logs'), limits: LIMITS, clock: systemClock });
  h = await startHarness({ services: { logs } });
  await h.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await h.close();
  await logs.close();
});

const write = (job: string, message: string) =>
  logs.insert({
    id: null,
    ndjson: new TextEncoder().encode(
      JSON.stringify({ _time: new Date().toISOString(), _msg: message, job_id: job, source: 'test' }),
    ),
    options: {
      timeFields: ['_time'],
      messageFields: ['_msg'],
      streamFields: ['source'],
      ignoreFields: [],
      extraFields: {},
    },
  });

it('a tail tells nothing more once the workflow was moved to a project of others', async () => {
  const job = await makeProject(h, 'own', 'moving');
  await h.services.access.projects.create({ id: 'other', name: 'Other' }, tester);
  letPersonIn(h).be([granted('viewer', 'own')]);
  let text = '';
  let isOver = false;
  const { port } = h.app.server.address() as AddressInfo;
  const path = `/api/v1/logs/tail?job_id=${job}`;
  const request = get({ port, path, headers: { authorization: 'Bearer person' } }, (answer) => {
    answer.setEncoding('utf8');
    answer.on('data', (piece: string) => (text += piece));
    answer.on('close', () => (isOver = true));
  });
  await expect.poll(() => text).toContain(': following');
  await write(job, 'theirs to read');
  await expect.poll(() => text, { timeout: 20_000 }).toContain('theirs to read');
  await h.services.workflows.update('moving', { project: 'other' }, tester);
  await write(job, 'not theirs');
  await expect.poll(() => isOver, { timeout: 20_000 }).toBe(true);
  expect(text).not.toContain('not theirs');
  request.destroy();
});
