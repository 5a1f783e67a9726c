import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createRemoteHttp } from '../remote-http.ts';
import { provisionInflux, type ProvisionOptions } from './provision.ts';

interface Server {
  readonly url: string;
  readonly buckets: { id: string; name: string; retentionRules: { everySeconds: number }[] }[];
  readonly tasks: { id: string; name: string; flux: string }[];
  readonly changes: string[];
}

/** What `metrics provision` needs of an InfluxDB. */
async function influx({ tasks: hasTasks = true, status = 0 } = {}): Promise<Server> {
  const made: Server = { url: '', buckets: [], tasks: [], changes: [] };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://host');
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const answer = (code: number, body: object) => void response.writeHead(code).end(JSON.stringify(body));
      if (status > 0) return answer(status, { code: 'unauthorized', message: 'unauthorized access' });
      const [, , , kind = '', id] = url.pathname.split('/');
      const name = url.searchParams.get('name');
      if (kind === 'orgs') return answer(200, { orgs: [{ id: 'o1', name: 'ops' }] });
      if (kind === 'tasks' && !hasTasks) return answer(404, { code: 'not found', message: 'path not found' });
      const list = kind === 'tasks' ? made.tasks : made.buckets;
      if (request.method === 'GET')
        return answer(200, { [kind]: list.filter((one) => name === null || one.name === name) });
      const body = JSON.parse(Buffer.concat(pieces).toString()) as { name?: string; flux?: string };
      const title = /name: "([^"]+)"/.exec(body.flux ?? '')?.[1] ?? body.name ?? '';
      made.changes.push(`${request.method} ${kind} ${id ?? title}`);
      const there = list.find((one) => one.id === id);
      if (there) return answer(200, Object.assign(there, body));
      const fresh = { retentionRules: [], flux: '', ...body, id: `${kind}-${list.length}`, name: title };
      list.push(fresh);
      return answer(201, fresh);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return Object.assign(made, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

async function provision({ url }: Server, options: Partial<ProvisionOptions> = {}): Promise<string[]> {
  const http = createRemoteHttp({ url, headers: {}, ca: null }, 1);
  try {
    const retention = { all: null, jobs: null, rolled: null };
    const steps = await provisionInflux(http, url, {
      ...{ organization: 'ops', bucket: 'metrics', retention, dryRun: false },
      ...options,
    });
    return steps.map(({ name, action, retentionSeconds }) => `${name}: ${action} ${retentionSeconds ?? ''}`.trim());
  } finally {
    http.close();
  }
}
const TASKS = ['Yardmaster roll-ups of metrics, hourly', 'Yardmaster roll-ups of metrics, daily'];

it('creates buckets and tasks, and changes nothing the second time', async () => {
  const server = await influx();
  expect(await provision(server)).toEqual([
    'metrics: created 7776000',
    'metrics_jobs: created 604800',
    'metrics_1m: created 0',
    ...TASKS.map((name) => `${name}: created`),
  ]);
  expect(server.buckets.map(({ retentionRules }) => retentionRules[0]?.everySeconds)).toEqual([7776000, 604800, 0]);
  server.changes.length = 0;
  expect(await provision(server)).toEqual([
    'metrics: unchanged 7776000',
    'metrics_jobs: unchanged 604800',
    'metrics_1m: unchanged 0',
    ...TASKS.map((name) => `${name}: unchanged`),
  ]);
  expect(server.changes).toEqual([]);
});

it('changes a retention that is named, and a task that was edited', async () => {
  const server = await influx();
  await provision(server);
  for (const task of server.tasks.slice(0, 1)) task.flux = 'other';
  const retention = { all: 3600, jobs: null, rolled: null };
  server.changes.length = 0;
  expect(await provision(server, { retention, dryRun: true })).toContain('metrics: updated 3600');
  expect(server.changes).toEqual([]);
  expect(await provision(server, { retention })).toEqual(expect.arrayContaining([`${TASKS[0]}: updated`]));
  expect(server.changes).toEqual(['PATCH buckets buckets-0', 'PATCH tasks tasks-0']);
});

it('says what a server has not, and why it refuses', async () => {
  expect(await provision(await influx({ tasks: false }))).toContain(`${TASKS[0]}: unsupported`);
  await expect(provision(await influx({ status: 401 }))).rejects.toMatchObject({
    code: 'METRICS_UNAVAILABLE',
    message: expect.stringContaining('does not accept the token'),
  });
  await expect(provision(await influx(), { organization: 'none' })).rejects.toThrow(/no organization "none"/);
  // As InfluxDB 1 answers.
  const old = createServer((_, response) => void response.writeHead(404).end('404 page not found\n'));
  await new Promise<void>((resolve) => void old.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void old.close());
  const url = `http://127.0.0.1:${(old.address() as AddressInfo).port}`;
  await expect(provision({ url, buckets: [], tasks: [], changes: [] })).rejects.toThrow(
    /no API of InfluxDB 2 at this address \(404 page not found\): InfluxDB 1 and 3 cannot be used/,
  );
});
