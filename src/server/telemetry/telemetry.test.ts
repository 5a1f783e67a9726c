import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Job } from '../../contract/jobs.ts';
import type { OtlpOptions, RunningMaster } from '../../contract/process.ts';
import type { Page } from '../../contract/shapes.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';
import { jobSpanIdOf, spanIdOf } from '../../lib/trace-context.ts';
import { openMaster } from '../master.fixture.ts';
import { simple } from '../testing/http.fixture.ts';
import { connectWorker, done, failed, type FakeWorker } from '../testing/worker.fake.ts';
import { openReceiver, plain, targetAt, tracesTo, type ReceivedSpan } from './otlp-receiver.fixture.ts';

/** A real master and a scripted worker, whose spans come to a collector that reads OTLP by its own definitions. */
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const headers = { authorization: 'Bearer ymt_of_the_test', 'content-type': 'application/json' };
const WAIT = { interval: 20 };
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function opened(otlp: OtlpOptions | null, more: { lines?: string[] } = {}) {
  const master: RunningMaster = await openMaster({
    data: temporaryFolder('telemetry'),
    adminToken: 'ymt_of_the_test',
    otlp,
    limits: { retryBackoffSeconds: 0, retryCheckSeconds: 0.05 },
    log: (line) => void more.lines?.push(line),
  });
  closing.push(() => master.close());
  async function operate<T = Record<string, string>>(path: string, body?: unknown, method = body ? 'POST' : 'GET') {
    const answer = await fetch(`${master.ready.url}${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return (await answer.json()) as T;
  }
  async function publish(id: string, definition: object): Promise<void> {
    await operate('/api/v1/workflows', { id, name: id });
    const { hash } = await operate(`/api/v1/workflows/${id}/commits`, { definition, message: 'm', parent: null });
    await operate(`/api/v1/workflows/${id}/environments/dev`, { hash }, 'PUT');
  }
  await publish('child', simple);
  const calling = { type: 'workflow', config: { workflowId: 'child', environment: 'dev' } };
  await publish('parent', {
    ...simple,
    nodes: simple.nodes.map((node) => (node.id === 'up' ? { id: 'up', name: 'Call', ...calling } : node)),
  });
  const { key = '' } = await operate('/api/v1/keys', { name: 'k', workflows: ['*'], environments: ['dev'] });
  const { token = '' } = await operate('/api/v1/tokens', { name: 'w', role: 'worker' });
  async function another(): Promise<FakeWorker> {
    const url = `${master.ready.url.replace('http', 'ws')}/api/v1/worker`;
    const worker = await connectWorker({ url, token, capacity: 8 });
    closing.push(() => worker.vanish());
    return worker;
  }
  return {
    master,
    operate,
    worker: await another(),
    another,
    async call(workflow: string, traceparent?: string): Promise<string> {
      const answer = await fetch(`${master.ready.url}/api/v1/events/${workflow}/dev`, {
        method: 'POST',
        headers: {
          'api-key': key,
          'content-type': 'application/json',
          prefer: 'respond-async',
          ...(traceparent === undefined ? {} : { traceparent }),
        },
        body: '[{"content":"a"}]',
      });
      expect(answer.status).toBe(202);
      return answer.headers.get('x-job-id') ?? '';
    },
  };
}

async function receiver(...answer: Parameters<typeof openReceiver>) {
  const made = await openReceiver(...answer);
  closing.push(() => made.close());
  return made;
}
const named = (spans: readonly ReceivedSpan[], name: string) => spans.filter((span) => span.name === name);

describe('a job is a trace', () => {
  it('from its caller over each attempt and the jobs that it calls', async () => {
    const collector = await receiver();
    const { call, worker } = await opened(tracesTo(collector.url));
    const parentId = await call('parent', `00-${TRACE}-${CALLER}-01`);
    const first = await worker.lease();
    worker.report(failed(first, { message: 'upstream said no' }));
    const second = await worker.lease();
    expect([second.id, second.attempt]).toEqual([first.id, 2]);
    worker.report(done(second, ['x']));

    await vi.waitFor(() => expect(named(collector.spans(), 'parent')).toHaveLength(1), WAIT);
    const spans = collector.spans();
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
    const [parent] = named(spans, 'parent');
    const [child] = named(spans, 'child');
    // The call of the child is an attempt of the parent's node, which no worker ran.
    const calls = named(spans, 'up').filter(
      ({ attributes }) => plain(attributes)['yardmaster.node.type'] === 'workflow',
    );
    const attempts = named(spans, 'up').filter(
      ({ attributes }) => plain(attributes)['yardmaster.node.type'] === 'transform',
    );
    expect(parent).toMatchObject({ parentSpanId: CALLER, spanId: jobSpanIdOf(parentId), kind: 2 });
    expect(calls).toMatchObject([{ parentSpanId: parent?.spanId, kind: 3 }]);
    expect(child).toMatchObject({ parentSpanId: calls[0]?.spanId, kind: 1 });
    expect(attempts.map(({ parentSpanId, spanId }) => [parentSpanId, spanId])).toEqual([
      [child?.spanId, spanIdOf(first.id, 1)],
      [child?.spanId, spanIdOf(first.id, 2)],
    ]);
    expect(attempts[0]?.status).toEqual({ code: 2, message: 'upstream said no' });
    expect(attempts[0]?.events.map(({ name, attributes }) => [name, plain(attributes)])).toEqual([
      ['exception', { 'exception.type': 'TASK_ERROR', 'exception.message': 'upstream said no' }],
      ['retry', { 'yardmaster.retry.attempt': '2n', 'yardmaster.retry.backoff_ms': '0n' }],
    ]);
    expect(attempts[1]?.status?.code).toBeUndefined();
    expect(plain(parent?.attributes ?? [])).toMatchObject({
      'yardmaster.job.id': parentId,
      'yardmaster.job.status': 'COMPLETED',
      'yardmaster.workflow.id': 'parent',
      'yardmaster.environment': 'dev',
    });
  });

  it('shows how long a task waited for a worker', async () => {
    const collector = await receiver();
    const { call, worker, another } = await opened(tracesTo(collector.url));
    await worker.vanish();
    await call('child');
    const late = await another();
    late.report(done(await late.lease(), ['x']));
    await vi.waitFor(() => expect(named(collector.spans(), 'child')).toHaveLength(1), WAIT);
    const [wait] = named(collector.spans(), 'up queued');
    const [run] = named(collector.spans(), 'up');
    expect(wait?.endTimeUnixNano).toBe(run?.startTimeUnixNano);
    expect(wait?.parentSpanId).toBe(run?.parentSpanId);
    expect(Number(wait?.endTimeUnixNano)).toBeGreaterThan(Number(wait?.startTimeUnixNano));
  });

  it('of its own where no caller names one; a rerun is linked to what it repeats', async () => {
    const collector = await receiver();
    const { call, worker, operate } = await opened(tracesTo(collector.url));
    const jobId = await call('child');
    worker.report(done(await worker.lease(), ['x']));
    await vi.waitFor(() => expect(named(collector.spans(), 'child')).toHaveLength(1), WAIT);
    const [original] = named(collector.spans(), 'child');
    expect(original?.parentSpanId).toBeUndefined();
    expect((await operate<Job>(`/api/v1/jobs/${jobId}`)).traceId).toBe(original?.traceId);
    await operate(`/api/v1/jobs/${jobId}/rerun`, {});
    worker.report(done(await worker.lease(), ['x']));
    await vi.waitFor(() => expect(named(collector.spans(), 'child')).toHaveLength(2), WAIT);
    const rerun = named(collector.spans(), 'child')[1];
    expect(rerun?.traceId).not.toBe(original?.traceId);
    expect(rerun?.links).toMatchObject([{ traceId: original?.traceId, spanId: original?.spanId }]);
  });

  it('goes on after a retry by hand, as a span below that of the job', async () => {
    const collector = await receiver();
    const { call, worker, operate } = await opened(tracesTo(collector.url));
    const jobId = await call('child');
    worker.report(failed(await worker.lease(), { retryable: false }));
    await vi.waitFor(() => expect(named(collector.spans(), 'child')).toHaveLength(1), WAIT);
    await operate(`/api/v1/jobs/${jobId}/retry`, {});
    worker.report(done(await worker.lease(), ['x']));
    await vi.waitFor(() => expect(named(collector.spans(), 'child retried')).toHaveLength(1), WAIT);
    const [job] = named(collector.spans(), 'child');
    const [retried] = named(collector.spans(), 'child retried');
    expect(job?.status?.code).toBe(2);
    expect(retried).toMatchObject({ traceId: job?.traceId, parentSpanId: job?.spanId });
    expect(retried?.spanId).not.toBe(job?.spanId);
  });
});

describe('sampling', () => {
  it('heeds the caller: what is not sampled makes no span and is handed on as it came', async () => {
    const collector = await receiver();
    const { call, worker } = await opened(tracesTo(collector.url));
    await call('child', `00-${TRACE}-${CALLER}-00`);
    const lease = await worker.lease();
    expect(lease.trace).toBe(`${TRACE}-${CALLER}-00`);
    worker.report(done(lease, ['x']));
    await call('child', `00-${'1'.repeat(32)}-${CALLER}-01`);
    worker.report(done(await worker.lease(), ['x']));
    await vi.waitFor(() => expect(named(collector.spans(), 'child')).toHaveLength(1), WAIT);
    expect(collector.spans().every(({ traceId }) => traceId === '1'.repeat(32))).toBe(true);
  });

  it('of nothing leaves jobs as they are without export', async () => {
    const collector = await receiver();
    const { call, worker, operate } = await opened(
      tracesTo(collector.url, { sampling: { parentBased: true, ratio: 0 } }),
    );
    const jobId = await call('child');
    const lease = await worker.lease();
    expect(lease).not.toHaveProperty('trace');
    worker.report(done(lease, ['x']));
    await vi.waitFor(async () => expect((await operate<Job>(`/api/v1/jobs/${jobId}`)).status).toBe('COMPLETED'), WAIT);
    expect(await operate<Job>(`/api/v1/jobs/${jobId}`)).not.toHaveProperty('traceId');
    expect((await operate<Page<Job>>('/api/v1/jobs')).totalItems).toBe(1);
  });
});

describe('metrics and log lines', () => {
  it('are exported beside traces, with what the receiver is to be told', async () => {
    const collector = await receiver();
    const { worker, call, master } = await opened(
      tracesTo(collector.url, {
        traces: null,
        metrics: targetAt(collector.url, 'metrics', { headers: { 'x-team': 'shop' }, compression: true }),
        logs: targetAt(collector.url, 'logs', { encoding: 'json' }),
        resource: { 'deployment.environment.name': 'lab' },
      }),
    );
    await vi.waitFor(
      () => expect(collector.metrics().map(({ name }) => name)).toContain('yardmaster_cpu_seconds_total'),
      WAIT,
    );
    const [request] = collector.requests;
    expect(request?.headers).toMatchObject({ 'x-team': 'shop', 'content-encoding': 'gzip' });
    expect(plain(request?.body.resourceMetrics?.[0]?.resource.attributes ?? [])).toMatchObject({
      'service.name': 'yardmaster',
      'deployment.environment.name': 'lab',
    });
    const line = {
      _time: '2026-01-02T03:04:05.123456789Z',
      _msg: 'hello',
      level: 'ERROR',
      job_id: 'j',
      trace_id: TRACE,
      span_id: CALLER,
    };
    const logStore = `http://127.0.0.1:${master.ready.ports.logStore}`;
    await vi.waitFor(async () => {
      await fetch(`${logStore}/insert/jsonline`, {
        method: 'POST',
        body: JSON.stringify({ ...line, _time: new Date().toISOString() }),
      });
      expect(collector.logs().length).toBeGreaterThan(0);
    }, WAIT);
    expect(collector.logs()[0]).toMatchObject({
      severityNumber: 17,
      body: { stringValue: 'hello' },
      traceId: TRACE,
      spanId: CALLER,
    });
    expect(plain(collector.logs()[0]?.attributes ?? [])).toMatchObject({ job_id: 'j' });
    // Nothing of it is in the way of jobs.
    await call('child');
    worker.report(done(await worker.lease(), ['x']));
  });
});

it('log lines that come too fast to be exported are counted as dropped', async () => {
  const collector = await receiver();
  const { master } = await opened(tracesTo('', { traces: null, logs: targetAt(collector.url, 'logs') }));
  const { port } = new URL(`http://127.0.0.1:${master.ready.ports.logStore}`);
  const body = `${JSON.stringify({ _msg: 'x'.repeat(100_000), _time: new Date().toISOString() })}\n`.repeat(120);
  const counted = async () => {
    const text = await (await fetch(`${master.ready.url}/metrics`, { headers })).text();
    return Number(/^yardmaster_otlp_dropped_total (\d+)/m.exec(text)?.[1] ?? 0);
  };
  expect((await fetch(`http://127.0.0.1:${port}/insert/jsonline`, { method: 'POST', body })).status).toBe(200);
  await vi.waitFor(
    async () => {
      const exported = collector.logs().filter(({ body: { stringValue = '' } = {} }) => stringValue.length > 50_000);
      expect(exported.length + (await counted())).toBeGreaterThanOrEqual(120);
    },
    { interval: 100, timeout: 20_000 },
  );
});

it('log lines come to the log port of a second master, with level and trace', async () => {
  const second = await opened(null);
  const port = second.master.ready.ports.logStore;
  const target = targetAt('', 'logs', { url: `http://127.0.0.1:${port}/insert/opentelemetry/v1/logs` });
  const first = await opened(tracesTo('', { traces: null, logs: target }));
  const line = { _msg: 'over there', level: 'WARN', job_id: 'j', trace_id: TRACE };
  await vi.waitFor(async () => {
    await fetch(`http://127.0.0.1:${first.master.ready.ports.logStore}/insert/jsonline`, {
      method: 'POST',
      body: JSON.stringify({ ...line, _time: new Date().toISOString() }),
    });
    const found = await fetch(`http://127.0.0.1:${port}/select/logsql/query?query=trace_id:=${TRACE}&limit=1`);
    expect(JSON.parse((await found.text()).split('\n')[0] ?? '')).toMatchObject({
      ...line,
      'service.name': 'yardmaster',
    });
  }, WAIT);
});
