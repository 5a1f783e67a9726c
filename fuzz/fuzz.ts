import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startMaster } from '../bench/lib/processes.ts';
import { createSeededRandom } from '../src/lib/seeded-random.ts';
import { mutate } from './mutate.ts';
import { isBug, PARSERS } from './parsers.ts';

/**
 * `npm run fuzz -- --minutes N [--seed S] [--only NAME]`: changed inputs of the saved ones, for every port of a real master
 * and every reader of foreign text. A crash, an answer 500, or a master that is silent for two seconds saves the inputs that
 * were under way in `.cache/fuzz`; put one into `fuzz/corpus/<target>` once it is fixed. The seed is printed: with the same
 * seed, inputs come in the same order in each lane.
 */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string' }, only: { type: 'string' } },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const minutes = Number(values.minutes);
if (!(minutes > 0) || !Number.isSafeInteger(seed))
  throw new Error('--minutes expects a number above 0, --seed a whole number');
const CORPUS = fileURLToPath(new URL('./corpus', import.meta.url));
const FOUND = fileURLToPath(new URL('../.cache/fuzz', import.meta.url));
const LANES = 8;
const SLOW_PARSE_MS = 1000;
const SILENT_MS = 2000;
/** Time for an answer to begin; whoever sent half a request gets none. */
const ANSWER_MS = 300;
const AFTER_ANSWER_MS = 20;

let found = 0;
function save(target: string, what: string, inputs: readonly Buffer[]): void {
  mkdirSync(FOUND, { recursive: true });
  const names = inputs.map((input, i) => {
    const name = join(FOUND, `${target}-${seed}-${found}-${i}`);
    writeFileSync(name, input);
    return name;
  });
  found++;
  console.log(`FOUND ${target}: ${what}\n  ${names.join('\n  ')}`);
}

const corpusOf = (target: string): Buffer[] => {
  const folder = join(CORPUS, target);
  return readdirSync(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name)));
};
const wanted = (target: string) => values.only === undefined || target.startsWith(values.only);

console.log(`seed ${seed}, ${minutes} min`);
const ends = Date.now() + minutes * 60_000;
const master = await startMaster({ workers: 1, durability: 'normal' });
const { url, token, ports } = master.ready;

async function api(method: string, path: string, body?: object): Promise<Record<string, string>> {
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.status === 204 ? {} : ((await answer.json()) as Record<string, string>);
}
const { key = '' } = await api('POST', '/api/v1/keys', { name: 'fuzz', workflows: ['*'], environments: ['dev'] });
const { token: workerToken = '' } = await api('POST', '/api/v1/tokens', { name: 'fuzz', role: 'worker' });
// What is sent to /hooks/ is read without a signature, so that changed bodies come as far as the inputs of a job.
const nodes = [
  { id: 'in', type: 'input' },
  { id: 'out', type: 'output' },
];
const edges = [{ from: 'in', to: 'out' }];
await api('POST', '/api/v1/workflows', { id: 'hooked', name: 'Hooked' });
const { hash = '' } = await api('POST', '/api/v1/workflows/hooked/commits', {
  definition: { schemaVersion: 1, name: 'Hooked', response: 'list', nodes, edges, output: 'out' },
  message: 'For deliveries',
  parent: null,
});
await api('PUT', '/api/v1/workflows/hooked/environments/dev', { hash });
for (const [path, verify] of [
  ['fuzz-open', { type: 'none' }],
  ['fuzz-signed', { type: 'hmac', preset: 'stripe', secret: 'fuzz' }],
] as const)
  await api('POST', '/api/v1/webhooks', {
    ...{ workflowId: 'hooked', environment: 'dev', path, verify, filter: 'body' },
    response: 'output',
  });
const fill = (input: Buffer) =>
  Buffer.from(
    input
      .toString('latin1')
      .replaceAll('{{token}}', token)
      .replaceAll('{{worker}}', workerToken)
      .replaceAll('{{key}}', key),
    'latin1',
  );

/** Sends bytes, gives what comes back until the other side ends, or is silent. */
const exchange = (port: number, bytes: Buffer): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setTimeout(ANSWER_MS, () => socket.destroy());
    socket.on('data', (chunk) => {
      socket.setTimeout(AFTER_ANSWER_MS);
      if (text.length < 65_536) text += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });

/** Those that are under way, by lane: one of them is to blame. */
const underWay = new Map<string, Buffer>();
let isDown = false;
async function isAlive(): Promise<boolean> {
  const began = performance.now();
  try {
    const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(SILENT_MS * 5) });
    return answer.ok && performance.now() - began < SILENT_MS;
  } catch {
    return false;
  }
}

const runs: Record<string, number> = {};
// Also where it ends before its time.
process.once('exit', (code) => console.log(JSON.stringify({ seed, runs, found, code })));
async function attackPort(target: string, port: number, lane: number): Promise<void> {
  const random = createSeededRandom(seed + lane * 7919 + target.length);
  const corpus = corpusOf(target).map(fill);
  for (let round = 0; Date.now() < ends && !isDown; round++) {
    const input = corpus[random.below(corpus.length)] ?? Buffer.alloc(0);
    const bytes = round < corpus.length && lane === 0 ? (corpus[round] ?? input) : mutate(random, input, corpus);
    underWay.set(`${target} ${lane}`, bytes);
    const answer = await exchange(port, bytes);
    runs[target] = (runs[target] ?? 0) + 1;
    const wrong = /(?:^|\r\n)HTTP\/1\.1 500 [\s\S]*/.exec(answer);
    if (wrong) save(target, `answered with 500: ${wrong[0].slice(-300)}`, [bytes]);
  }
}

async function watch(): Promise<void> {
  while (Date.now() < ends && !isDown) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    if (await isAlive()) continue;
    const inputs = [...underWay.values()];
    // Busy for a moment on a crowded machine is no hang.
    if (await isAlive()) save('master', `did not answer /healthz within ${SILENT_MS} ms`, inputs);
    else {
      isDown = true;
      save('master', 'crashed, or hangs', inputs);
    }
  }
}

/** In turns with the ports: a slice of parsing, then a turn of the loop. */
async function attackParsers(): Promise<void> {
  const targets = Object.entries(PARSERS)
    .filter(([name]) => wanted(name))
    .map(([name, parse], i) => ({ name, parse, corpus: corpusOf(name), random: createSeededRandom(seed + i) }));
  while (Date.now() < ends && targets.length > 0) {
    for (const { name, parse, corpus, random } of targets)
      for (let i = 0; i < 50; i++) {
        const bytes = mutate(random, corpus[random.below(corpus.length)] ?? Buffer.alloc(0), corpus);
        const began = performance.now();
        try {
          parse(bytes.toString('utf8'));
        } catch (error) {
          if (isBug(error))
            save(
              name,
              String((error as Error).stack)
                .split('\n')
                .slice(0, 4)
                .join(' '),
              [bytes],
            );
        }
        runs[name] = (runs[name] ?? 0) + 1;
        const took = performance.now() - began;
        if (took > SLOW_PARSE_MS) save(name, `took ${Math.round(took)} ms`, [bytes]);
      }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const PORTS: readonly (readonly [string, number | null])[] = [
  ['port-master', ports.master],
  ['port-logs', ports.logStore],
  ['port-metrics', ports.metrics],
  ['port-lines', ports.logstash],
];
await Promise.all([
  watch(),
  attackParsers(),
  ...PORTS.flatMap(([name, port]) =>
    port === null || !wanted(name) ? [] : Array.from({ length: LANES }, (_, lane) => attackPort(name, port, lane)),
  ),
]);
if (!isDown) await master.stop();
process.exitCode = found > 0 ? 1 : 0;
