import { spawn, type ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { LIMITS } from '../../contract/limits.ts';
import { createSeededRandom } from '../../lib/seeded-random.ts';
import { threadFile } from '../../lib/thread-file.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';

const SEED = 20_261_121;
/** Each takes some seconds; more are run by `YARDMASTER_TEST_KILLS=20`. */
const ROUNDS = Number(process.env['YARDMASTER_TEST_KILLS'] ?? 4);

let child: ChildProcess | null = null;
afterEach(() => void child?.kill('SIGKILL'));

/** The log side of a master. It tells what was accepted. */
const PROGRAM = fileURLToPath(threadFile(import.meta.url, './log-side.fixture.ts', 'log-side-child.js'));

it(
  `finds every accepted line once after ${ROUNDS} kills of store and pipeline together`,
  async () => {
    const folder = temporaryFolder('killed');
    const chance = createSeededRandom(SEED);
    // Small batches and a store that is asked often, so that a kill finds much under way.
    const limits = { ...LIMITS, pipelineFlushMs: 5 };

    async function start() {
      const own = (child = spawn(process.execPath, [PROGRAM, JSON.stringify({ folder, limits })], {
        stdio: ['ignore', 'pipe', 'inherit'],
      }));
      const state = { port: 0, store: 0, accepted: 0, queueLines: -1 };
      let wake = () => {};
      createInterface({ input: own.stdout as NodeJS.ReadableStream }).on('line', (line) => {
        Object.assign(state, JSON.parse(line));
        wake();
      });
      const until = async (what: () => boolean) => {
        while (!what()) await new Promise<void>((resolve) => (wake = resolve));
      };
      await until(() => state.port > 0);
      return { own, state, until };
    }

    let sent = 0;
    const accepted: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const { own, state, until } = await start();
      const gone = new Promise((resolve) => own.once('exit', resolve));
      const first = sent;
      const socket = connect(state.port, '127.0.0.1');
      socket.on('error', () => {});
      const lines = 500 + chance.below(5000);
      for (let i = 0; i < lines; i++)
        socket.write(`{"_msg":"line ${sent}","n":${sent++},"pad":"${'x'.repeat(chance.below(200))}"}\n`);
      // The counts come twice a second: some wait for the first, some for all.
      await until(() => state.accepted >= 1 + chance.below(lines));
      own.kill('SIGKILL');
      await gone;
      for (let i = 0; i < state.accepted; i++) accepted.push(first + i);
      socket.destroy();
    }

    const { state, until } = await start();
    await until(() => state.queueLines === 0);
    const rows = (
      await (
        await fetch(`http://127.0.0.1:${state.store}/select/logsql/query?query=${encodeURIComponent('* | fields n')}`)
      ).text()
    )
      .trim()
      .split('\n')
      .map((line) => Number((JSON.parse(line) as { n: string }).n));
    const kept = new Set(rows);
    expect(rows.length).toBe(kept.size);
    expect(accepted.filter((line) => !kept.has(line))).toEqual([]);
    expect(accepted.length).toBeGreaterThan(ROUNDS * 200);
  },
  30_000 + ROUNDS * 15_000,
);
