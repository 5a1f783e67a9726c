import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Approval } from '../../../contract/approvals.ts';
import type { AuditEntry } from '../../../contract/access.ts';
import type { Definition } from '../../../contract/definition.ts';
import type { Job } from '../../../contract/jobs.ts';
import type { RunningMaster } from '../../../contract/process.ts';
import type { Page } from '../../../contract/shapes.ts';
import type { Task, Why } from '../../../contract/tasks.ts';
import type { Link, Wait } from '../../../contract/waits.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { openMaster } from '../../master.fixture.ts';
import { connectWorker, done, type FakeWorker } from '../../testing/worker.fake.ts';

/** Waits over the public API of a real master; the worker is scripted. */
const data = temporaryFolder('waits');
let master: RunningMaster;
let worker: FakeWorker;
const tokens = { operator: '', viewer: '' };

async function call<T = { code: string; detail: string; errors: { pointer: string }[] }>(
  method: string,
  path: string,
  body?: unknown,
  token: string | null = master.ready.token,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: T }> {
  const answer = await fetch(`${master.ready.url}${path.startsWith('/respond') ? '' : '/api/v1'}${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as T };
}

beforeAll(async () => {
  master = await openMaster({
    data,
    proxies: ['127.0.0.1'],
    allowedHosts: ['127.0.0.1', 'yard.example'],
    limits: { retryCheckSeconds: 0.1, signalBytes: 1000 },
  });
  for (const role of ['operator', 'viewer'] as const)
    tokens[role] = (await call<{ token: string }>('POST', '/tokens', { name: role, role })).body.token;
  const { token } = (await call<{ token: string }>('POST', '/tokens', { name: 'w', role: 'worker' })).body;
  worker = await connectWorker({ url: `${master.ready.url.replace('http', 'ws')}/api/v1/worker`, token, capacity: 20 });
  const beating = setInterval(() => worker.beat(), 1000);
  void worker.closed.then(() => clearInterval(beating));
});
afterAll(() => master.close());

let made = 0;
const definition = (config: Record<string, unknown>): Definition => ({
  schemaVersion: 1,
  name: 'Hold',
  response: 'list',
  nodes: [
    { id: 'in', type: 'input' },
    { id: 'hold', type: 'wait', config },
    { id: 'out', type: 'output' },
  ],
  edges: [
    { from: 'in', to: 'hold' },
    { from: 'hold', to: 'out' },
  ],
  output: 'out',
});

async function commit(config: Record<string, unknown>) {
  const id = `hold-${++made}`;
  await call('POST', '/workflows', { id, name: id });
  const saved = await call<{ hash: string; faults: { pointer: string; code: string; message: string }[] }>(
    'POST',
    `/workflows/${id}/commits`,
    { definition: definition(config), message: 'Hold', parent: null },
  );
  return { id, ...saved.body };
}

/** A job that has come to its wait. */
async function hold(config: Record<string, unknown>, filled: object = {}): Promise<string> {
  const { id, hash } = await commit(config);
  await call('PUT', `/workflows/${id}/environments/dev`, { hash, description: 'Go' });
  const { body } = await call<{ jobId: string }>('POST', '/jobs', {
    ...{ workflowId: id, environment: 'dev', inputs: [{ n: 1 }] },
  });
  worker.report(done(await worker.lease(), filled));
  await expect.poll(async () => (await waitsOf(body.jobId)).length).toBe(1);
  return body.jobId;
}
const waitsOf = async (jobId: string) => (await call<Page<Wait>>('GET', `/waits?jobId=${jobId}`)).body.items;
const approvalOf = async (jobId: string) => (await waitsOf(jobId))[0]?.approvalId ?? 'none';
const jobOf = async (jobId: string) => (await call<Job>('GET', `/jobs/${jobId}`)).body;
const outputOf = async (jobId: string) => (await call<{ output: unknown }>('GET', `/jobs/${jobId}/output`)).body.output;
const audited = async (action: string) =>
  (await call<Page<AuditEntry>>('GET', `/audit?action=${action}`)).body.items[0];

describe('a wait', () => {
  it('is RUNNING without a worker, and says what for', async () => {
    const jobId = await hold({ for: 'time', seconds: 3600 });
    const [task] = (await call<Page<Task>>('GET', `/jobs/${jobId}/tasks`)).body.items;
    expect(task).toMatchObject({ state: 'RUNNING', workerId: null, nodeType: 'wait' });
    expect((await call<Why>('GET', `/tasks/${task?.id}/why`)).body).toMatchObject({ reason: 'WAITING_TIME' });
    expect(await waitsOf(jobId)).toMatchObject([{ taskId: task?.id, jobId, for: 'time', name: null, node: 'hold' }]);
    expect((await call<{ status: string }>('DELETE', `/jobs/kill/${jobId}`)).body).toMatchObject({ status: 'FAILED' });
    expect(await waitsOf(jobId)).toEqual([]);
  });

  it.each([
    [{ for: 'time' }, '/nodes/1/config'],
    [{ for: 'time', seconds: 1, until: '2027-01-01' }, '/nodes/1/config/until'],
    [{ for: 'time', until: 'tomorrow' }, '/nodes/1/config/until'],
    [{ for: 'time', until: '{{ 1 + }}' }, '/nodes/1/config/until'],
    [{ for: 'time', seconds: 1, form: {} }, '/nodes/1/config/form'],
    [{ for: 'signal', name: 'a b' }, '/nodes/1/config/name'],
    [{ for: 'signal', onTimeout: 'approve' }, '/nodes/1/config/onTimeout'],
    [{ for: 'approval', approvers: {} }, '/nodes/1/config/approvers'],
    [{ for: 'approval', form: { type: 'nothing' } }, '/nodes/1/config/form/type'],
    [{ for: 'weather' }, '/nodes/1/config/for'],
  ])('of %j is told what is wrong with it', async (config, pointer) => {
    const { faults } = await commit(config);
    expect(faults.map((one) => one.pointer)).toContain(pointer);
  });
});

describe('a signal', () => {
  it('lets the job go on with what it carries', async () => {
    const jobId = await hold({ for: 'signal', name: 'paid' });
    expect(await call('POST', `/jobs/${jobId}/signals/paid`, {}, tokens.viewer)).toMatchObject({ status: 403 });
    expect(await call('POST', `/jobs/${jobId}/signals/paid`, { sum: 5 }, tokens.operator)).toEqual({
      status: 202,
      body: { jobId, name: 'paid', delivered: true },
    });
    expect(await outputOf(jobId)).toMatchObject([
      { input: { n: 1 }, signal: { payload: { sum: 5 }, sentBy: 'operator' } },
    ]);
    expect(await audited('job.signal')).toMatchObject({ actor: 'operator', target: `job:${jobId}` });
    expect(await call('POST', `/jobs/${jobId}/signals/paid`, {})).toMatchObject({
      status: 409,
      body: { code: 'JOB_FINISHED' },
    });
  });

  it('is refused where it is too long, has a bad name, or is of no job', async () => {
    const jobId = await hold({ for: 'signal', name: 'paid' });
    const send = (path: string, body: unknown) => call('POST', path, body);
    expect(await send(`/jobs/${jobId}/signals/paid`, 'x'.repeat(2000))).toMatchObject({ status: 413 });
    expect(await send(`/jobs/${jobId}/signals/a%20b`, 1)).toMatchObject({ status: 422 });
    expect(await send(`/jobs/${jobId}/signals/paid?replica=4`, 1)).toMatchObject({ status: 422 });
    expect(await send('/jobs/nobody/signals/paid', 1)).toMatchObject({ status: 404 });
  });

  it('is one where it is repeated with an idempotency key', async () => {
    const jobId = await hold({ for: 'signal', name: 'paid' });
    const send = () =>
      call('POST', `/jobs/${jobId}/signals/paid`, 1, tokens.operator, { 'idempotency-key': 'payment-1' });
    expect(await send()).toMatchObject({ status: 202, body: { delivered: true } });
    expect(await send()).toMatchObject({ status: 202, body: { delivered: true } });
  });

  it('is sent by a link once', async () => {
    const jobId = await hold({ for: 'signal', name: 'paid' });
    const { body: link } = await call<Link>('POST', `/jobs/${jobId}/signals/paid/links`, { for: 'bank' });
    const path = new URL(link.url).pathname;
    const page = await fetch(link.url);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('Send signal paid');
    expect(await waitsOf(jobId)).toHaveLength(1);
    expect(await call('POST', path, { sum: 7 }, null)).toMatchObject({ status: 200 });
    expect(await outputOf(jobId)).toMatchObject([{ signal: { payload: { sum: 7 }, sentBy: 'link: bank' } }]);
    expect(await call('POST', path, { sum: 7 }, null)).toMatchObject({ status: 409, body: { code: 'LINK_USED' } });
    expect(await call('POST', `${path}x`, {}, null)).toMatchObject({ status: 404, body: { code: 'LINK_INVALID' } });
  });

  it('is sent by a link with the address of a proxy in front, and noted with that of the client', async () => {
    const jobId = await hold({ for: 'signal', name: 'paid' });
    const headers = {
      'x-forwarded-host': 'yard.example',
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '203.0.113.9',
    };
    const ask = { for: 'bank' };
    const { body: link } = await call<Link>('POST', `/jobs/${jobId}/signals/paid/links`, ask, tokens.operator, headers);
    expect(link.url).toMatch(/^https:\/\/yard\.example\/respond\//);
    expect((await call('POST', new URL(link.url).pathname, {}, null, headers)).status).toBe(200);
    const { items } = (await call<Page<AuditEntry>>('GET', '/audit?action=job.signal')).body;
    expect(items[0]).toMatchObject({ actor: 'link: bank', address: '203.0.113.9' });
  });
});

describe('an approval', () => {
  const form = { type: 'object', required: ['sum'], properties: { sum: { type: 'number', title: 'Sum' } } };
  const decide = (id: string, body: object, token: string | null = tokens.operator) =>
    call<Approval & { code: string; errors: { pointer: string }[] }>('POST', `/approvals/${id}`, body, token);

  it('is listed, decided with its form, and audited', async () => {
    const jobId = await hold({ for: 'approval', title: 'Pay?', form }, { title: 'Pay 12?' });
    const id = await approvalOf(jobId);
    const { items } = (await call<Page<Approval>>('GET', '/approvals?status=open&kind=wait')).body;
    expect(items[0]).toMatchObject({
      id,
      status: 'open',
      kind: 'wait',
      wait: { jobId, title: 'Pay 12?' },
      mayDecide: true,
    });
    expect(await decide(id, { decision: 'approve' })).toMatchObject({ status: 422, body: { code: 'INPUT_INVALID' } });
    expect((await decide(id, { decision: 'approve', form: { sum: 'much' } })).body.errors).toMatchObject([
      { pointer: '/form/sum' },
    ]);
    expect(await decide(id, { decision: 'approve', override: true })).toMatchObject({ status: 422 });
    expect(await decide(id, { decision: 'approve' }, tokens.viewer)).toMatchObject({ status: 403 });
    expect(await decide(id, { decision: 'approve', form: { sum: 12 }, comment: 'ok' })).toMatchObject({
      status: 200,
      body: { status: 'approved', decidedBy: 'operator', comment: 'ok' },
    });
    expect(await decide(id, { decision: 'reject' })).toMatchObject({ status: 409, body: { code: 'ALREADY_DECIDED' } });
    expect(await outputOf(jobId)).toMatchObject([{ approval: { decision: 'approve', form: { sum: 12 } } }]);
    expect(await audited('approval.approve')).toMatchObject({
      actor: 'operator',
      target: `approval:${id}`,
      after: { jobId, node: 'hold' },
    });
  });

  it('fails its job where it is rejected', async () => {
    const jobId = await hold({ for: 'approval' });
    await decide(await approvalOf(jobId), { decision: 'reject', comment: 'too much' });
    expect(await jobOf(jobId)).toMatchObject({ status: 'FAILED' });
  });

  it('is for those alone that its node names', async () => {
    const jobId = await hold({ for: 'approval', approvers: { roles: ['admin'] } });
    const id = await approvalOf(jobId);
    expect((await call<Approval>('GET', `/approvals/${id}`, undefined, tokens.operator)).body.mayDecide).toBe(false);
    expect(await decide(id, { decision: 'approve' })).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(await call('POST', `/approvals/${id}/links`, { for: 'me' }, tokens.operator)).toMatchObject({ status: 403 });
    expect(await decide(id, { decision: 'approve' }, master.ready.token)).toMatchObject({ status: 200 });
    const other = await hold({ for: 'approval', approvers: { people: ['operator'] } });
    expect(await decide(await approvalOf(other), { decision: 'approve' }, master.ready.token)).toMatchObject({
      status: 403,
    });
    expect(await decide(await approvalOf(other), { decision: 'approve' })).toMatchObject({ status: 200 });
  });

  describe('that names somebody', () => {
    const account = async (): Promise<{ id: string; token: string }> => {
      const made = await call<{ id: string }>('POST', '/users', { login: 'ann', kind: 'service', role: 'operator' });
      const { body } = await call<{ token: string }>('POST', `/users/${made.body.id}/tokens`, { name: 'of ann' });
      return { id: made.body.id, token: body.token };
    };
    const named = (people: string[]) => hold({ for: 'approval', approvers: { people } });
    const mayDecide = async (id: string, token: string) =>
      (await call<Approval>('GET', `/approvals/${id}`, undefined, token)).body.mayDecide;

    it('is for the account of that name, and for no later one that has the name by then', async () => {
      const first = await account();
      const [open, decided, byId] = [await named(['ann']), await named(['ann']), await named(['ann', first.id])];
      expect(await decide(await approvalOf(decided), { decision: 'approve' }, first.token)).toMatchObject({
        status: 200,
      });
      const { body: lookalike } = await call<{ token: string }>('POST', '/tokens', { name: 'ann', role: 'operator' });
      expect(await mayDecide(await approvalOf(open), lookalike.token)).toBe(false);

      expect(await call('DELETE', `/users/${first.id}`)).toMatchObject({ status: 204 });
      const second = await account();
      for (const id of [await approvalOf(open), await approvalOf(byId)]) {
        expect(await mayDecide(id, second.token)).toBe(false);
        const refused = await decide(id, { decision: 'approve' }, second.token);
        expect([refused.status, JSON.stringify(refused.body)]).toEqual([
          403,
          expect.stringContaining('another account'),
        ]);
        expect(await call('POST', `/approvals/${id}/links`, { for: 'me' }, second.token)).toMatchObject({
          status: 403,
        });
      }

      const saved = [await named(['ann']), await named([second.id])];
      for (const jobId of saved)
        expect(await decide(await approvalOf(jobId), { decision: 'approve' }, second.token)).toMatchObject({
          status: 200,
        });
      await call('DELETE', `/users/${second.id}`);
    });
  });

  it('is decided on the page of a link, which decides nothing by being opened', async () => {
    const jobId = await hold({ for: 'approval', title: '<b>Pay?</b>', form }, { title: '<b>Pay?</b>' });
    const id = await approvalOf(jobId);
    const { body: link } = await call<Link>('POST', `/approvals/${id}/links`, { for: 'boss@example.com' });
    for (let opened = 0; opened < 3; opened++) {
      const page = await fetch(link.url);
      const html = await page.text();
      expect(html).toContain('&lt;b&gt;Pay?&lt;/b&gt;');
      expect(html).not.toContain('<b>Pay');
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
    await fetch(link.url, { method: 'HEAD' });
    expect((await call<Approval>('GET', `/approvals/${id}`)).body.status).toBe('open');
    const post = (fields: Record<string, string>) =>
      fetch(link.url, { method: 'POST', body: new URLSearchParams(fields) });
    expect((await post({ 'field.sum': '5' })).status).toBe(422);
    expect((await post({ decision: 'approve', 'field.sum': 'much' })).status).toBe(422);
    const decided = await post({ decision: 'approve', 'field.sum': '5', comment: 'go' });
    expect([decided.status, (await decided.text()).includes('Approved')]).toEqual([200, true]);
    expect((await post({ decision: 'reject' })).status).toBe(409);
    expect(await (await fetch(link.url)).text()).toContain('Already decided');
    expect(await outputOf(jobId)).toMatchObject([
      { approval: { decision: 'approve', form: { sum: 5 }, comment: 'go', decidedBy: 'link: boss@example.com' } },
    ]);
  });

  it('shows no values of secrets, on the page of a link or elsewhere', async () => {
    await call('PUT', '/secrets/GATE', { value: 'very-secret-value' });
    const title = 'Open with very-secret-value?';
    const id = await approvalOf(await hold({ for: 'approval', title }, { title }));
    const { body: link } = await call<Link>('POST', `/approvals/${id}/links`, { for: 'boss' });
    const shown = [
      await (await fetch(link.url)).text(),
      JSON.stringify((await call('GET', `/approvals/${id}`)).body),
      JSON.stringify((await call('GET', '/approvals')).body),
    ];
    for (const text of shown) {
      expect(text).toContain('Open with [secret GATE]?');
      expect(text).not.toContain('very-secret-value');
    }
  });
});
