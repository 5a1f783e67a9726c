import { masterTarget } from './settings.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { createSeededRandom } from '../../../lib/seeded-random.ts';
import { threadFile } from '../../../lib/thread-file.ts';
import { startFakeStore } from './log-store.fake.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

const SEED = 20_261_121;
const ROUNDS = 20;

let child: ChildProcess | null = null;
let store: Awaited<ReturnType<typeof startFakeStore>> | null = null;
afterEach(async () => {
  child?.kill('SIGKILL');
  await store?.close();
});

/** Says how many lines it has accepted. */
const PROGRAM = fileURLToPath(threadFile(import.meta.url, './pipeline-process.fixture.ts', 'pipeline-child.js'));

it(`loses and doubles nothing that was accepted over ${ROUNDS} kills, whatever the store does meanwhile`, async () => {
  const folder = temporaryFolder('killed');
  const chance = createSeededRandom(SEED);
  store = await startFakeStore();
  const { url } = store;
  // The store is well, away, slow to answer, or its answers are lost: all in turns.
  store.reply(() => (chance.percent(15) ? null : chance.percent(15) ? [503, 'busy'] : [200, '']));
  const options = {
    folder,
    host: '127.0.0.1',
    target: masterTarget(url, null),
    tls: null,
    lineBytes: 1 << 20,
    heldBytes: 1 << 24,
    connections: 100,
    queueBytes: 1 << 24,
    batchBytes: 20_000,
    flushMs: 5,
    deadLetterBytes: 1 << 20,
    dropWhenFull: false,
    durable: false,
  };

  let sent = 0;
  /** Lines whose acceptance was heard of; they were accepted in the order in which they were sent. */
  const accepted = new Set<number>();
  for (let round = 0; round < ROUNDS; round++) {
    const own = (child = spawn(process.execPath, [PROGRAM, JSON.stringify(options)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }));
    const gone = new Promise((resolve) => own.once('exit', resolve));
    const first = sent;
    let port = 0;
    let heard = 0;
    let wake = () => {};
    createInterface({ input: own.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const said = JSON.parse(line) as { port?: number; accepted?: number };
      port = said.port ?? port;
      heard = said.accepted ?? heard;
      wake();
    });
    const until = async (what: () => boolean) => {
      while (!what()) await new Promise<void>((resolve) => (wake = resolve));
    };
    await until(() => port > 0);
    const socket: Socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    const lines = 50 + chance.below(1500);
    for (let i = 0; i < lines; i++) socket.write(`{"_msg":"${sent++}","pad":"${'x'.repeat(chance.below(200))}"}\n`);
    const wanted = chance.below(lines);
    await until(() => heard >= wanted);
    own.kill('SIGKILL');
    await gone;
    for (let i = 0; i < heard; i++) accepted.add(first + i);
    socket.destroy();
  }

  store.reply(() => [200, '']);
  const last = (child = spawn(process.execPath, [PROGRAM, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  }));
  await new Promise<void>((resolve) => {
    createInterface({ input: last.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      if ((JSON.parse(line) as { queueLines?: number }).queueLines === 0) resolve();
    });
  });
  const stored = store.messages().map(Number);
  expect(stored.length).toBe(new Set(stored).size);
  const kept = new Set(stored);
  expect([...accepted].filter((line) => !kept.has(line))).toEqual([]);
  expect(accepted.size).toBeGreaterThan(ROUNDS * 100);
}, 300_000);
