import fc from 'fast-check';
import { createTarPacker, packTar } from 'modern-tar';
import type { TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { INCIDENT_PATHS, type IncidentManifest } from '../../../contract/incident.ts';
import type { Job } from '../../../contract/jobs.ts';
import { ROUTES } from '../../../contract/routes.ts';
import type { Route } from '../../../contract/shapes.ts';
import { createBundleAnswers } from './bundle-answers.ts';
import { BundleFault, readBundle } from './read.ts';

const limits = { bytes: 4_000_000, parts: 200 };
const ID = '01a1fe8e-9542-7174-a271-bd34ee04856a';
const manifest: IncidentManifest = {
  format: 'yardmaster-incident',
  version: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  createdBy: 'ada',
  cluster: 'north',
  master: { version: '1.0.0', node: '24' },
  jobId: ID,
  jobs: [ID],
  payloads: true,
};
const end = JSON.stringify({ parts: 3, bytes: 1, tasks: 2, logLines: 2, leftOut: [] });
const at = '2026-01-01T00:00:00.000Z';
const task = (id: string, node: string, state: string) =>
  `{"id":"${id}","jobId":"${ID}","node":"${node}","nodeType":"http","state":"${state}","replica":0,"item":null,"port":null,"attempt":1,"retryCount":3,"retryEntries":[],"workerId":null,"childJobId":null,"readyAt":"2026-01-01T00:00:0${id.slice(-1)}.000Z","scheduledAt":null,"startedAt":null,"finishedAt":null,"retryAt":null,"input":{"n":12345678901234567890},"output":null,"error":null,"history":[]}`;
const job: Job = {
  id: ID,
  externalId: null,
  status: 'FAILED',
  workflowId: 'shop',
  environment: 'prod',
  commit: 'a'.repeat(40),
  kind: 'batch',
  trigger: { kind: 'api' },
  priority: 0,
  replicaRunTimeoutSeconds: null,
  inputCount: 2,
  labels: {},
  taskCounters: {
    readyTasks: 0,
    scheduledTasks: 0,
    runningTasks: 0,
    completedTasks: 1,
    failedTasks: 1,
    scheduleTimeout: 0,
    runTimeoutTasks: 0,
  },
  createdAt: at,
  updatedAt: at,
  finishedAt: at,
  killedAt: null,
  durationMs: 5,
  retriedAt: null,
  rerunOf: null,
  parentTaskId: null,
};
const whole: [string, string][] = [
  [INCIDENT_PATHS.manifest, JSON.stringify(manifest)],
  [INCIDENT_PATHS.job(ID), JSON.stringify(job)],
  [INCIDENT_PATHS.tasks(ID, 0), `${task('t2', 'charge', 'FAILED')}\n`],
  [INCIDENT_PATHS.tasks(ID, 1), `${task('t1', 'parse', 'COMPLETED')}\n${task('t2', 'charge', 'FAILED')}\nnot json\n`],
  [INCIDENT_PATHS.payload(ID, 't1', 'output'), '{"whole":12345678901234567890}'],
  [INCIDENT_PATHS.inputs(ID, 0), '[0,{"order":1.10}]\n[1,[2]]\n'],
  [
    INCIDENT_PATHS.logs(ID, 0),
    [
      '{"_time":"2026-01-01T00:00:01Z","_msg":"<script>alert(1)</script>","level":"INFO","task_id":"t1"}',
      '{"_time":"2026-01-01T00:00:02Z","_msg":"no funds on 4711","level":"ERROR","task_id":"t2"}',
      '',
    ].join('\n'),
  ],
  [INCIDENT_PATHS.end, end],
];
type Bytes = Uint8Array<ArrayBuffer>;
const bytesOf = (text: string): Bytes => new Uint8Array(new TextEncoder().encode(text));
const joined = (...pieces: Uint8Array[]): Bytes => {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  pieces.reduce((at, piece) => (all.set(piece, at), at + piece.length), 0);
  return all;
};
/** Where the end is left out, more can follow. */
const tar = async (parts: readonly (readonly [string, string])[], ended = true): Promise<Bytes> => {
  const whole = await packTar(
    parts.map(([name, text]) => ({ header: { name, size: bytesOf(text).length }, body: text })),
  );
  return ended ? whole : whole.subarray(0, whole.length - (await packTar([])).length);
};
const headerOf = async (name: string, size: number): Promise<Uint8Array> => {
  const { readable, controller } = createTarPacker();
  controller.add({ name, size });
  return (await readable.getReader().read()).value as Uint8Array;
};
const gzip = async (bytes: Bytes | Promise<Bytes>): Promise<Bytes> =>
  new Uint8Array(
    await new Response(new Blob([await bytes]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer(),
  );
const read = (bytes: Bytes, most = limits) => readBundle(new Blob([bytes]).stream(), most, () => undefined);
const troubleOf = (bytes: Bytes, most = limits): Promise<string> =>
  read(bytes, most).then(
    () => 'none',
    (error: unknown) => (error instanceof BundleFault ? error.trouble : String(error)),
  );

describe('a file that is opened as a bundle', () => {
  it('is told for what it is where it is none, cut, damaged or of another kind', async () => {
    const good = await gzip(tar(whole));
    expect(await troubleOf(good)).toBe('none');
    expect(await troubleOf(bytesOf('PK\u0003\u0004 a zip'))).toBe('not-a-bundle');
    expect(await troubleOf(await gzip(tar([['hello.txt', 'x']])))).toBe('not-a-bundle');
    expect(await troubleOf(await gzip(bytesOf('x'.repeat(2000))))).toBe('damaged');
    expect(await troubleOf(good.subarray(0, good.length - 30))).toBe('cut');
    expect(await troubleOf(await gzip(tar(whole, false)))).toBe('cut');
    expect(await troubleOf(await gzip(bytesOf('x')))).toBe('not-a-bundle');
    expect(await troubleOf(await gzip(tar(whole.slice(0, -1))))).toBe('cut');
    expect(
      await troubleOf(await gzip(tar([[INCIDENT_PATHS.manifest, '{"format":"yardmaster-incident","version":2}']]))),
    ).toBe('newer');
    expect(await troubleOf(await gzip(tar([[INCIDENT_PATHS.manifest, '[1']])))).toBe('damaged');
    expect(
      await troubleOf(await gzip(tar([[INCIDENT_PATHS.manifest, JSON.stringify({ ...manifest, jobs: [{}] })]]))),
    ).toBe('damaged');
  });

  it('is damaged where what the page shows of it is missing', async () => {
    for (const without of [{ master: undefined }, { master: {} }, { createdAt: 'once' }])
      expect(
        await troubleOf(
          await gzip(tar([[INCIDENT_PATHS.manifest, JSON.stringify({ ...manifest, ...without })], ...whole.slice(1)])),
        ),
      ).toBe('damaged');
    for (const text of ['{}', '{"leftOut":1}', '{"leftOut":[{}]}', '[]'])
      expect(await troubleOf(await gzip(tar([...whole.slice(0, -1), [INCIDENT_PATHS.end, text]])))).toBe('damaged');
  });

  it('cannot fill the memory, however small it is packed', async () => {
    const bomb = await gzip(
      joined(await tar(whole.slice(0, 1), false), await headerOf('zeros', 1_000_000_000), new Uint8Array(8_000_000)),
    );
    expect(bomb.length).toBeLessThan(100_000);
    expect(await troubleOf(bomb)).toBe('too-large');
    const many = await gzip(
      tar([...whole.slice(0, 1), ...Array.from({ length: 300 }, (_, i) => [`p${i}`, ''] as const)]),
    );
    expect(await troubleOf(many)).toBe('too-many-parts');
    const endless = await gzip(
      joined(
        await tar(whole.slice(0, 1), false),
        ...(await Promise.all(Array.from({ length: 100 }, (_, i) => tar([[`p${i}`, 'x'.repeat(100_000)]], false)))),
      ),
    );
    expect(await troubleOf(endless)).toBe('too-large');
  });

  it('never throws anything else, whatever its bytes are', async () => {
    const good = await gzip(tar(whole));
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const changed = new Uint8Array(good);
        changed[at] = (changed[at] ?? 0) ^ flip;
        expect(['none', 'not-a-bundle', 'damaged', 'cut', 'newer', 'too-large', 'too-many-parts']).toContain(
          await troubleOf(changed),
        );
      }),
      { numRuns: 150 },
    );
  });
});

describe('an open bundle', () => {
  const ask = async (method: string, url: string) =>
    createBundleAnswers(await read(await gzip(tar(whole))))(method, url);
  const json = async (url: string) => JSON.parse((await ask('GET', url)).text) as Record<string, unknown>;

  it('answers what the master would, with every number as it was', async () => {
    const tasks = await ask('GET', `/api/v1/jobs/${ID}/tasks?page=0&size=50&sort=readyAt,asc`);
    expect(tasks.text).toContain('"n":12345678901234567890');
    expect(
      (JSON.parse(tasks.text) as { items: { node: string }[]; totalItems: number }).items.map(({ node }) => node),
    ).toEqual(['parse', 'charge']);
    expect((await json(`/api/v1/jobs/${ID}/tasks?state=FAILED`))['totalItems']).toBe(1);
    expect((await ask('GET', '/api/v1/tasks/t1/output')).text).toBe('{"whole":12345678901234567890}');
    expect((await ask('GET', '/api/v1/tasks/t1/input')).text).toBe('{"n":12345678901234567890}');
    expect((await ask('GET', `/api/v1/jobs/${ID}/input?replica=0`)).text).toBe('{"order":1.10}');
    // What is not written down for itself is what the first task of the replica was given.
    expect(
      createBundleAnswers(await read(await gzip(tar(whole.filter(([name]) => !name.includes('/inputs/'))))))(
        'GET',
        `/api/v1/jobs/${ID}/input?replica=0`,
      ).text,
    ).toBe('{"n":12345678901234567890}');
    expect((await ask('GET', `/api/v1/jobs/${ID}/input`)).text).toBe('[{"order":1.10},[2]]');
  });

  it('filters tasks by worker, code and text of the error, as the master does', async () => {
    const ran = task('t3', 'charge', 'FAILED')
      .replace('"workerId":null', '"workerId":"worker-4f1c"')
      .replace('"error":null', '"error":{"code":"CARD_REFUSED","message":"Card refused","retryable":false}');
    const odd = task('t4', 'charge', 'FAILED').replace('"error":null', '"error":"?"');
    const more: [string, string] = [INCIDENT_PATHS.tasks(ID, 2), `${ran}\n${odd}\n`];
    const answers = createBundleAnswers(await read(await gzip(tar([...whole.slice(0, 4), more, ...whole.slice(4)]))));
    const found = (query: string) => {
      const { text } = answers('GET', `/api/v1/jobs/${ID}/tasks?sort=readyAt,asc&${query}`);
      return (JSON.parse(text) as { items: { id: string }[] }).items.map(({ id }) => id);
    };
    for (const query of ['worker=4f1c', 'code=card_refused', 'q=CARD%20ref', 'node=charge&code=CARD_REFUSED'])
      expect([query, found(query)]).toEqual([query, ['t3']]);
    for (const query of ['worker=nobody', 'code=CARD', 'q=refuse%25', 'node=parse&q=card'])
      expect([query, found(query)]).toEqual([query, []]);
    expect(found('node=parse&q=')).toEqual(['t1']);
  });

  it('finds log lines by job, task, level and words, a page at a time', async () => {
    const lines = async (query: string) =>
      ((await json(`/api/v1/logs/search?job_id=&${query}`))['records'] as { _msg: string }[]).map(({ _msg }) => _msg);
    expect(await lines('order=asc')).toEqual(['<script>alert(1)</script>', 'no funds on 4711']);
    expect(await lines('task_id=t2')).toEqual(['no funds on 4711']);
    expect(await lines('query=%22no+funds%22')).toEqual(['no funds on 4711']);
    const first = await json('/api/v1/logs/search?limit=1');
    expect([(first['records'] as unknown[]).length, first['nextCursor']]).toEqual([1, '1']);
    expect((await json('/api/v1/logs/hits?step=1s&field=level'))['hits']).toMatchObject([
      { fields: { level: 'INFO' }, total: 1 },
      { fields: { level: 'ERROR' }, total: 1 },
    ]);
    expect((await json('/api/v1/logs/context?at=2026-01-01T00:00:02Z'))['before']).toHaveLength(1);
  });

  it('takes what a master gives for what it is', async () => {
    const full = {
      ...(JSON.parse(task('t9', 'a', 'FAILED')) as object),
      error: { code: 'TASK_ERROR', message: 'no', retryable: true },
      retryEntries: [
        { attempt: 1, workerId: 'w', startedAt: at, failedAt: at, code: 'X', message: 'm', retryable: true },
      ],
      history: [
        { from: null, to: 'READY', at, attempt: 1, workerId: null, reason: 'submitted' },
        { from: 'READY', to: 'SCHEDULED', at, attempt: 1, workerId: 'w', reason: null },
      ],
    };
    const series = {
      from: at,
      to: at,
      interval: '1s',
      series: [{ tags: { worker_id: 'w' }, times: [Date.parse(at)], values: [1] }],
      total: 1,
    };
    const answers = createBundleAnswers(
      await read(
        await gzip(
          tar([
            ...whole.slice(0, -1),
            [INCIDENT_PATHS.tasks(ID, 2), JSON.stringify(full)],
            [INCIDENT_PATHS.processors, JSON.stringify(series)],
            whole.at(-1) as [string, string],
          ]),
        ),
      ),
    );
    expect(JSON.parse(answers('GET', '/api/v1/tasks/t9').text)).toMatchObject({
      id: 't9',
      history: [{ to: 'READY' }, { to: 'SCHEDULED' }],
    });
    expect(answers('GET', '/api/v1/metrics/series?measurement=worker_metrics&field=gauge_cpu_usage')).toMatchObject({
      status: 200,
    });
  });

  it('shows nothing of another shape than a master answers with, and says where it stands', async () => {
    const answers = async (name: string, text: string) =>
      createBundleAnswers(
        await read(
          await gzip(
            tar([...whole.filter(([other]) => other !== name), [name, text], whole.at(-1) as [string, string]]),
          ),
        ),
      );
    const told = async (name: string, text: string, url: string) => {
      const { status, text: answer } = (await answers(name, text))('GET', url);
      return [status, (JSON.parse(answer) as { detail: string }).detail] as const;
    };
    const one = task('t3', 'a', 'COMPLETED');
    for (const [bad, where] of [
      [one.replace('"history":[]', '"history":[{}]'), '/items/0/history/0'],
      [one.replace('"retryEntries":[],', ''), '/items/0'],
      [one.replace('COMPLETED', 'DONE'), '/items/0/state'],
      [one.replace('"finishedAt":null', '"finishedAt":"soon"'), '/items/0/finishedAt'],
      [one.replace('"node":"a"', '"node":{"toString":1}'), '/items/0/node'],
      [one.replace('"output":null', `"output":${'['.repeat(5000)}${']'.repeat(5000)}`), 'deeper'],
    ] as const) {
      const [status, detail] = await told(
        INCIDENT_PATHS.tasks(ID, 1),
        bad,
        `/api/v1/jobs/${ID}/tasks?sort=node,asc&node=${bad.includes('toString') ? '' : 'a'}`,
      );
      expect([status, detail]).toEqual([422, expect.stringContaining(where)]);
    }
    expect((await told(INCIDENT_PATHS.graph(ID), '{"nodes":{}}', `/api/v1/jobs/${ID}/graph`))[0]).toBe(422);
    expect((await told(INCIDENT_PATHS.workers, '[null]', '/api/v1/workers'))[0]).toBe(422);
    expect((await told(INCIDENT_PATHS.publications('shop'), '[7]', '/api/v1/audit'))[0]).toBe(422);
    expect((await told(INCIDENT_PATHS.inputs(ID, 0), '[0,{"order":]', `/api/v1/jobs/${ID}/input`))[0]).toBe(200);
    expect((await told(INCIDENT_PATHS.payload(ID, 't1', 'output'), '{"whole":', '/api/v1/tasks/t1/output'))[0]).toBe(
      422,
    );
    // A job that is none: there is nothing to open.
    await expect(answers(INCIDENT_PATHS.job(ID), JSON.stringify({ ...job, taskCounters: null }))).rejects.toMatchObject(
      { trouble: 'damaged', detail: expect.stringContaining('/taskCounters') },
    );
  });

  it('answers with what a page can show, or says what is wrong, whatever stands in its parts', async () => {
    const names = [
      INCIDENT_PATHS.graph(ID),
      INCIDENT_PATHS.output(ID),
      INCIDENT_PATHS.tasks(ID, 0),
      INCIDENT_PATHS.tasks(ID, 1),
      INCIDENT_PATHS.inputs(ID, 0),
      INCIDENT_PATHS.logs(ID, 0),
      INCIDENT_PATHS.jobMetrics(ID),
      INCIDENT_PATHS.workflow('shop'),
      INCIDENT_PATHS.publications('shop'),
      INCIDENT_PATHS.commit('shop', job.commit),
      INCIDENT_PATHS.workers,
      INCIDENT_PATHS.failures,
      INCIDENT_PATHS.processors,
      INCIDENT_PATHS.payload(ID, 't1', 'output'),
    ];
    const asked = [
      'jobs.get',
      'jobs.graph',
      'jobs.output',
      'jobs.input',
      'tasks.list',
      'tasks.get',
      'tasks.input',
      'tasks.output',
      'workflows.get',
      'publications.list',
      'commits.get',
      'workers.list',
      'workers.get',
      'failures.list',
      'failures.get',
      'logs.search',
      'logs.hits',
      'logs.context',
      'metrics.query',
      'metrics.series',
      'audit.list',
      'jobs.list',
    ] as const;
    const ids: Record<string, string> = { jobId: ID, taskId: 't1', id: 'shop', workerId: 'w', hash: job.commit };
    const query = `?job_id=${ID}&measurement=worker_metrics&field=gauge_cpu_usage&at=${at}&step=1s`;
    // Values that are nearly in order find more than values that are anything.
    const nearly = fc
      .tuple(
        fc.constantFrom(
          task('t1', 'parse', 'COMPLETED'),
          JSON.stringify(job),
          '{"_time":"2026-01-01T00:00:01Z","_msg":"x","level":"INFO"}',
          '{"nodes":[],"taken":[],"replicas":1}',
          '{"output":1,"error":null}',
        ),
        fc.nat(1000),
        fc.constantFrom('null', '7', '[]', '{}', '"x"', '{"toString":1}', '1e999'),
      )
      .map(([text, at, put]) => {
        const values = [...text.matchAll(/:("[^"]*"|null|\d+|\[\]|\{\})/g)];
        const hit = values[at % values.length];
        return hit ? `${text.slice(0, hit.index)}:${put}${text.slice(hit.index + hit[0].length)}` : text;
      });
    const content = fc.oneof(
      nearly,
      nearly.map((one) => `[${one}]`),
      fc.json({ maxDepth: 3 }),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(fc.constantFrom(...names), content), {
          selector: ([name]) => name,
          minLength: 1,
          maxLength: 6,
        }),
        async (odd) => {
          const replaced = new Set(odd.map(([name]) => name));
          const answers = createBundleAnswers(
            await read(
              await gzip(
                tar([
                  ...whole.slice(0, -1).filter(([name]) => !replaced.has(name)),
                  ...odd,
                  whole.at(-1) as [string, string],
                ]),
              ),
            ),
          );
          for (const name of asked) {
            const { path, answers: promised } = ROUTES[name] as Route;
            const { status, text } = answers(
              'GET',
              path.replace(/:(\w+)/g, (_, param: string) => ids[param] ?? 'x') + query,
            );
            const value: unknown = JSON.parse(text);
            if (status === 200)
              expect(Check(promised[200] as TSchema, value), `${path} ${text.slice(0, 300)}`).toBe(true);
            else expect(value).toMatchObject({ status, title: expect.any(String), detail: expect.any(String) });
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('changes nothing, and says so of what it does not hold', async () => {
    for (const method of ['POST', 'DELETE', 'PUT', 'PATCH'])
      expect(await ask(method, `/api/v1/jobs/${ID}/retry`)).toMatchObject({ status: 403 });
    for (const url of [
      '/api/v1/jobs/other',
      '/api/v1/tasks/none',
      '/api/v1/workflows/none',
      '/api/v1/workers/none',
      '/api/v1/settings',
      '/api/v1/constructor',
      '/api/v1/jobs/__proto__/tasks',
      `/api/v1/jobs/${ID}/compare/x`,
    ])
      expect(await ask('GET', url)).toMatchObject({ status: 404 });
  });
});
