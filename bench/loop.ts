import { pathTo } from '../src/lib/api-client.ts';
import { request } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReadyLine } from '../src/contract/process.ts';
import { filled, heavyBodies } from './lib/bodies.ts';
import { loopProbe } from './lib/held.ts';
import { api, createKey, publishChain } from './lib/master-api.ts';
import { startMaster } from './lib/processes.ts';
import { line, opening, round, summary, type Target } from './lib/report.ts';

/**
 * How long one request can hold the event loop of the master, whatever a client sends (50 ms). Each line is
 * the longest tick while the master deals with the request and with the tasks that it made.
 */
const BOUND_MS = 50;
const only = process.env['YARDMASTER_BENCH_ONLY'];

interface Attack {
  name: string;
  method: string;
  path: string;
  headers?: Record<string, string>;
  /** Made when it is sent, where it is dear to us as well. */
  body?: Buffer | (() => Buffer);
  /** Run before: for what is known only then. */
  prepare?(): Promise<void>;
}

const quick = process.argv.includes('--quick');
/** What a quick run makes of them: one of each kind. */
const QUICK = [
  'event open: 1,000 small inputs',
  'event typed: integers of 17 digits',
  'event none: no JSON, told at its end',
  'commit: 1,000 sources of 1 KB',
  'headers: cookie',
];
opening('loop', quick, ['better-sqlite3', 'fastify']);
const folder = mkdtempSync(join(tmpdir(), 'bench-loop-'));
const probe = loopProbe(folder);
const master = await startMaster({ workers: 2, durability: 'normal', nodeArguments: probe.nodeArguments });
try {
  const { ready } = master;
  const pass = [{ id: 'pass', type: 'transform', config: { expression: '$' } }];
  await publishChain(ready, 'open', undefined, pass);
  await publishChain(ready, 'none', { type: 'object', maxProperties: 0 }, pass);
  await publishChain(
    ready,
    'typed',
    {
      type: 'object',
      properties: { content: { type: 'string', pattern: '^[a-z]*x[0-9]*$' } },
      additionalProperties: { type: ['string', 'number', 'array'], items: { type: ['number', 'array'] } },
    },
    pass,
  );
  const key = await createKey(ready);
  const targets: Target[] = [];
  const attacks = [
    ...eventAttacks(key),
    ...batchAttacks(ready),
    ...(await definitionAttacks(ready)),
    ...headerAttacks(ready, key),
  ];
  const chosen = attacks.filter(
    ({ name }) => (!quick || QUICK.includes(name)) && (only === undefined || name.includes(only)),
  );
  if (quick && only === undefined && chosen.length !== QUICK.length)
    throw new Error(`of ${QUICK.join(', ')} only ${chosen.length} are there`);
  for (const attack of chosen) {
    await attack.prepare?.();
    const body = typeof attack.body === 'function' ? attack.body() : attack.body;
    await settled(ready);
    await probe.longest(ready.pid);
    await pause(30);
    const began = performance.now();
    const status = await send(ready.url, attack, body);
    const ms = performance.now() - began;
    await settled(ready);
    const { wallMs, cpuMs } = await probe.longest(ready.pid);
    line({
      attack: attack.name,
      status,
      ms: Math.round(ms),
      longestTickMs: round(wallMs),
      longestTickCpuMs: round(cpuMs),
    });
    // Processor time, so that what else runs on the machine does not count.
    targets.push({ name: attack.name, value: cpuMs, target: BOUND_MS, wanted: 'at most' });
  }
  process.exitCode = summary(targets);
} finally {
  await master.stop();
  rmSync(folder, { recursive: true, force: true });
}

function eventAttacks(key: string): Attack[] {
  return heavyBodies().flatMap(({ name, body, headers }) =>
    ['open', 'none', 'typed'].map((workflow) => ({
      name: `event ${workflow}: ${name}`,
      method: 'POST',
      path: pathTo('events.send', { params: { workflowId: workflow, environment: 'dev' } }),
      headers: {
        'api-key': key,
        'content-type': 'application/json',
        prefer: 'respond-async',
        'idempotency-key': name.replaceAll(/[^a-z0-9]+/gi, '-'),
        ...headers,
      },
      body,
    })),
  );
}

function operator(ready: ReadyLine, name: string, method: string, path: string, body?: Attack['body']): Attack {
  return {
    name,
    method,
    path,
    headers: { authorization: `Bearer ${ready.token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body } : {}),
  };
}

function batchAttacks(ready: ReadyLine): Attack[] {
  const batch = (name: string, inputs: Buffer) =>
    operator(
      ready,
      `batch: ${name}`,
      'POST',
      pathTo('jobs.list'),
      Buffer.concat([Buffer.from('{"workflowId":"open","environment":"dev","inputs":'), inputs, Buffer.from('}')]),
    );
  const room = 5 * 1024 * 1024 - 200;
  return [
    batch(
      '100,000 inputs',
      filled((i) => `{"n":${i}}`, room, 100_000),
    ),
    batch(
      '600,000 values in 1,000 inputs',
      filled(() => `{"a":[${'1,'.repeat(600)}1]}`, room, 1000),
    ),
    operator(
      ready,
      'batch: no known field',
      'POST',
      pathTo('jobs.list'),
      Buffer.from(`{${Array.from({ length: 300_000 }, (_, i) => `"k${i}":0`).join(',')}}`),
    ),
  ];
}

async function definitionAttacks(ready: ReadyLine): Promise<Attack[]> {
  const big = (nodes: object[], edges: object[], more: object = {}) => ({
    schemaVersion: 1,
    name: 'big',
    response: 'list',
    nodes: [{ id: 'in', type: 'input' }, ...nodes, { id: 'out', type: 'output' }],
    edges,
    output: 'out',
    ...more,
  });
  const chain = (config: (i: number) => object, type: string, count: number) => {
    const nodes = Array.from({ length: count }, (_, i) => ({ id: `n${i}`, type, config: config(i) }));
    const ids = ['in', ...nodes.map(({ id }) => id), 'out'];
    return big(
      nodes,
      ids.slice(1).map((to, i) => ({ from: ids[i], to })),
    );
  };
  const wide = Array.from({ length: 1990 }, (_, i) => ({
    id: `w${i}`,
    type: 'transform',
    config: { expression: '$' },
  }));
  const definitions: Record<string, object> = {
    '1,900 nodes': chain(() => ({ expression: '{ "a": $uppercase(content), "b": [1..3] }' }), 'transform', 1900),
    '1,000 sources of 1 KB': chain((i) => ({ source: `return ${i} + [${'1,'.repeat(500)}1].length;` }), 'code', 1000),
    'an http body of 2 MB': chain(
      () => ({
        method: 'POST',
        url: 'http://127.0.0.1',
        body: Array.from({ length: 90_000 }, (_, i) => ({ [`k${i}`]: i })),
      }),
      'http',
      1,
    ),
    'a schema of 64 KB': big([], [{ from: 'in', to: 'out' }], {
      input: {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 900 }, (_, i) => [`p${i}`, { type: 'string', pattern: `^[a-z]{1,${(i % 50) + 1}}$` }]),
        ),
      },
    }),
    '10,000 edges': big(
      wide,
      wide
        .flatMap(({ id }, i) => [
          { from: 'in', to: id },
          ...[1, 2, 3].map((step) => ({ from: id, to: wide[i + step]?.id ?? 'out' })),
          { from: id, to: 'out' },
        ])
        .slice(0, 10_000),
    ),
    '1,990 nodes side by side': big(
      wide,
      wide.flatMap(({ id }) => [
        { from: 'in', to: id },
        { from: id, to: 'out' },
      ]),
    ),
    'a definition of nothing known': { ...big([], []), extra: Array.from({ length: 300_000 }, () => 0) },
    '300,000 faulty nodes': big(
      Array.from({ length: 300_000 }, () => ({})),
      [],
    ),
  };
  const attacks: Attack[] = [];
  let number = 0;
  for (const [name, definition] of Object.entries(definitions)) {
    const id = `big-${number++}`;
    await api(ready).call('workflows.create', { body: { id, name: id } });
    const text = (more: object) => () => Buffer.from(JSON.stringify({ definition, ...more }));
    attacks.push(
      operator(ready, `check: ${name}`, 'POST', pathTo('workflows.check', { params: { id } }), text({})),
      operator(
        ready,
        `commit: ${name}`,
        'POST',
        pathTo('commits.create', { params: { id } }),
        text({ message: 'Big', parent: null }),
      ),
    );
    const lazily = (
      what: string,
      method: string,
      path: (hash: string) => string,
      content?: (hash: string) => object,
    ): Attack => {
      const attack = operator(ready, `${what}: ${name}`, method, '');
      const hash = async () => (await api(ready).call('commits.list', { params: { id } })).items[0]?.hash ?? '0000';
      attack.prepare = async () => {
        const found = await hash();
        attack.path = path(found);
        if (!content) return;
        attack.body = Buffer.from(JSON.stringify(content(found)));
        attack.headers = { ...attack.headers, 'content-type': 'application/json' };
      };
      return attack;
    };
    attacks.push(
      lazily('read', 'GET', (hash) => pathTo('commits.get', { params: { id, hash } })),
      lazily('diff', 'GET', (hash) => pathTo('commits.diff', { params: { id, a: hash, b: hash } })),
      lazily(
        'publish',
        'PUT',
        () => pathTo('workflows.publish', { params: { id, environment: 'dev' } }),
        (hash) => ({ hash }),
      ),
    );
    if (name.includes('side by side'))
      attacks.push(
        operator(
          ready,
          `run: ${name}`,
          'POST',
          pathTo('jobs.list'),
          Buffer.from(JSON.stringify({ workflowId: id, environment: 'dev', inputs: [{}, {}, {}] })),
        ),
      );
  }
  return attacks;
}

function headerAttacks(ready: ReadyLine, key: string): Attack[] {
  const query = (text: string) =>
    operator(ready, `query: ${text.slice(0, 20)}…`, 'GET', `${pathTo('jobs.list')}?${text}`);
  return [
    query(Array.from({ length: 3000 }, (_, i) => `a${i}=1`).join('&')),
    query(Array.from({ length: 1500 }, () => 'status=FAILED').join('&')),
    query(`q=${'%25'.repeat(5000)}`),
    {
      name: 'headers: prefer',
      method: 'POST',
      path: pathTo('events.send', { params: { workflowId: 'open', environment: 'dev' } }),
      headers: { 'api-key': key, 'content-type': 'application/json', prefer: `${'a="b\\"",'.repeat(2500)}wait=1` },
      body: Buffer.from('[{}]'),
    },
    {
      name: 'headers: content-type',
      method: 'POST',
      path: pathTo('events.send', { params: { workflowId: 'open', environment: 'dev' } }),
      headers: { 'api-key': key, 'content-type': `application/json${' ;'.repeat(10_000)}` },
      body: Buffer.from('[{}]'),
    },
    { name: 'headers: cookie', method: 'GET', path: pathTo('jobs.list'), headers: { cookie: 'a=b;'.repeat(7000) } },
  ];
}

async function send(base: string, { method, path, headers = {} }: Attack, body: Buffer | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(
      new URL(path, base),
      { method, headers: { ...headers, ...(body ? { 'content-length': String(body.length) } : {}) }, agent: false },
      (answer) => {
        answer.resume();
        answer.once('end', () => resolve(answer.statusCode ?? 0));
        answer.once('error', () => resolve(answer.statusCode ?? 0));
      },
    );
    call.once('error', (error) =>
      (error as NodeJS.ErrnoException).code === 'ECONNRESET' ? resolve(0) : reject(error),
    );
    call.end(body);
  });
}

/** Until no task is open, or long enough for a large job to be under way. */
async function settled(ready: ReadyLine): Promise<void> {
  for (let i = 0; i < 100; i++) {
    const { tasks } = await api(ready).call('master.overview');
    if (tasks.ready + tasks.running + tasks.scheduled === 0) break;
    await pause(50);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
