import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '../../contract/limits.ts';
import { workerLimits } from '../../contract/worker-protocol.ts';
import { threadFile } from '../../lib/thread-file.ts';
import { startFakeMaster, type FakeMaster } from '../master.fake.ts';

/** Expressions that would take a process down or hold it for ever, on a worker process that runs another task meanwhile. */

let master: FakeMaster;
let worker: ChildProcess;
let exited: Promise<unknown>;
let attack = 0;

beforeAll(async () => {
  master = await startFakeMaster({
    welcome: {
      limits: {
        ...workerLimits(LIMITS),
        expressionSeconds: 1,
        expressionMemoryBytes: 64 * 1024 * 1024,
        taskOutputBytes: 1024 * 1024,
      },
    },
  });
  worker = spawn(
    process.execPath,
    [fileURLToPath(threadFile(import.meta.url, '../start.fixture.ts', 'worker-process.js')), master.url],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  exited = once(worker, 'exit');
  await master.until(() => master.hellos[0]);
});
afterAll(async () => {
  worker.kill('SIGTERM');
  await exited;
  await master.close();
});

const doubled = (start: string, step: (last: string) => string, end: string, times = 40) =>
  `(${Array.from({ length: times }, (_, i) => `$v${i + 1} := ${step(i === 0 ? start : `$v${i}`)}`).join('; ')}; ${end.replace('LAST', `$v${times}`)})`;

const ATTACKS: [name: string, expression: string][] = [
  ['a range of ranges', '[1..9999999].[1..9999999]'],
  ['a huge range', '[1..1000000000]'],
  ['ranges put together', '[[1..9999999],[1..9999999],[1..9999999],[1..9999999],[1..9999999],[1..9999999]]'],
  ['$map over a huge range', '$map([1..9999999], function($i) { {"a": $i, "b": [$i, $i]} })'],
  ['a huge $pad', '$pad("", 1000000000)'],
  ['$pad that just fits a string, split', '$split($pad("", 500000000), "")'],
  ['an exponential text', doubled('"xxxxxxxx"', (v) => `${v} & ${v}`, '$length(LAST)')],
  ['an exponential text that just fits', doubled('"xxxxxxxx"', (v) => `${v} & ${v}`, '$split(LAST, "")', 25)],
  ['an exponential text made by steps', `content${'.($ & $)'.repeat(26)}.$split($, "")`],
  ['an exponential object', doubled('{"a": 1}', (v) => `{"a": ${v}, "b": ${v}}`, 'LAST')],
  ['an exponential object as text', doubled('{"a": 1}', (v) => `{"a": ${v}, "b": ${v}}`, '$length($string(LAST))')],
  ['an exponential list', doubled('[1,2,3,4]', (v) => `$append(${v}, ${v})`, 'LAST')],
  ['a replacement that multiplies', '($x := $pad("", 60000, "a"); $length($replace($x, "a", $x)))'],
  ['a join that multiplies', '($x := $pad("", 60000, "a"); $length($join($split($x, ""), $x)))'],
  ['an endless recursion', '($f := function($n) { $f($n + 1) + 1 }; $f(0))'],
  ['an endless tail recursion', '($f := function($n) { $f($n + 1) }; $f(0))'],
  ['a recursion that doubles', '($f := function($n) { $f([$n, $n]) }; $f([1]))'],
  ['a catastrophic regular expression', '$match("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", /(a+)+$/)'],
  ['another in $replace', '$replace("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", /^(a|a)*$/, "")'],
  ['$eval of a bomb', '$eval("[1..9999999].[1..9999999]")'],
  ['$reduce that doubles', '$reduce([1..64], function($a, $i) { $append($a, $a) }, [1..64])'],
  ['deep brackets', `${'['.repeat(9000)}1${']'.repeat(9000)}`],
  ['deeper brackets', `${'('.repeat(30_000)}1${')'.repeat(30_000)}`],
];

describe('an expression that cannot be borne', () => {
  it.each(ATTACKS)('%s fails alone', async (_name, expression) => {
    const id = `attack-${++attack}`;
    const beats = master.frames.filter(({ t }) => t === 'beat').length;
    master.lease([{ id: `beside-${attack}`, type: 'delay', config: { seconds: 0.4 } }], 'safe');
    master.lease([{ id, type: 'transform', config: { expression } }], { content: 'xxxxxxxx' });
    const end = await Promise.race([
      exited,
      master.until(() => master.reports.find((r) => r.e !== 'start' && r.id === id)),
    ]);
    expect(end).toMatchObject({
      e: 'fail',
      error: { code: expect.stringMatching(/^(TASK_ERROR|NON_RETRYABLE|INVALID_DAG)$/), retryable: false },
    });
    expect((end as { error: { message: string } }).error.message).toMatch(/^the expression .{10}/);
    expect(await master.end(`beside-${attack}`)).toMatchObject({ e: 'done', output: 'safe' });
    master.lease([{ id: `after-${attack}`, type: 'transform', config: { expression: '$uppercase(content)' } }], {
      content: 'alive',
    });
    expect(await master.end(`after-${attack}`)).toMatchObject({ e: 'done', output: 'ALIVE' });
    await master.until(() => master.frames.filter(({ t }) => t === 'beat').length > beats);
    expect(master.hellos).toHaveLength(1);
    expect(worker.exitCode).toBeNull();
  });

  it.runIf(process.platform === 'linux')('does not outlive a worker that is killed', async () => {
    const short = await startFakeMaster({ welcome: { limits: { ...workerLimits(LIMITS), expressionSeconds: 600 } } });
    const killed = spawn(
      process.execPath,
      [fileURLToPath(threadFile(import.meta.url, '../start.fixture.ts', 'worker-process.js')), short.url],
      { stdio: 'ignore' },
    );
    await short.until(() => short.hellos[0]);
    short.lease(
      [
        {
          id: 'a',
          type: 'transform',
          config: { expression: '$match("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", /(a+)+$/)' },
        },
      ],
      {},
    );
    let children: number[] = [];
    while (children.length === 0) {
      children = childrenOf(killed.pid as number);
      await new Promise(setImmediate);
    }
    await short.until(() => short.reports[0]);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    while (children.some(lives)) await new Promise(setImmediate);
    await short.close();
  });
});

const statOf = (pid: number): string[] => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return [];
  }
};
const lives = (pid: number): boolean => !['Z', undefined].includes(statOf(pid)[0]);
const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && Number(statOf(pid)[1]) === parent);
