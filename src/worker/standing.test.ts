import { expect, it } from 'vitest';
import type { Lease } from '../contract/worker-protocol.ts';
import { createExecutorTools } from './executors/executors.fixture.ts';
import { createRunner } from './run.ts';
import { createStanding } from './standing.ts';

const ALONE = 13_000;
function standingAt() {
  const clock = { elapsed: 0, now: 1e12 };
  const standing = createStanding(() => ALONE, { elapsed: () => clock.elapsed, now: () => clock.now });
  const pass = (ms: number, wall = ms) => {
    clock.elapsed += ms;
    clock.now += wall;
  };
  /** Answers to what was asked, that the master gives when the test says. */
  const asked: (() => void)[] = [];
  return { standing, pass, asked, confirm: (received: () => void) => void asked.push(received) };
}
const never = () => new AbortController().signal;
const isOver = async (wait: Promise<void> | null) =>
  Promise.race([wait?.then(() => true), new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))]);

it('is sure of its leases as long as the master answers', () => {
  const { standing, pass } = standingAt();
  for (let n = 0; n < 10; n++) {
    pass(2000);
    standing.answered(2000 * n);
    expect(standing.wait(never)).toBe(null);
  }
});

it('waits after a long time alone until the master has said twice that it knows of it', async () => {
  for (const [elapsed, wall] of [
    [14_000, 14_000],
    // The machine slept: only one of the clocks went on.
    [10, 3_600_000],
  ] as const) {
    const { standing, pass, asked, confirm } = standingAt();
    pass(elapsed, wall);
    const wait = standing.wait(never);
    expect(wait).not.toBe(null);
    // An answer to what was sent before the pause says nothing of what came after.
    standing.answered(elapsed);
    standing.attach(confirm);
    expect(asked).toHaveLength(1);
    asked[0]?.();
    expect(await isOver(wait)).toBe(false);
    expect(asked).toHaveLength(2);
    asked[1]?.();
    expect(await isOver(wait)).toBe(true);
    expect(standing.wait(never)).toBe(null);
  }
});

it('asks anew over the next link where one breaks, and waits no longer for what was stopped', async () => {
  const { standing, pass, asked, confirm } = standingAt();
  pass(20_000);
  const stop = new AbortController();
  const [stopped, other] = [standing.wait(() => stop.signal), standing.wait(never)];
  standing.attach(confirm);
  standing.detach();
  asked[0]?.();
  stop.abort();
  expect([await isOver(stopped), await isOver(other)]).toEqual([true, false]);
  const again: (() => void)[] = [];
  standing.attach((received) => void again.push(received));
  again[0]?.();
  again[1]?.();
  expect(await isOver(other)).toBe(true);
});

it('begins no further task of a chain whose lease was lost meanwhile', async () => {
  const { tools, close } = createExecutorTools(60);
  const begun: string[] = [];
  const report = {
    ...{ fail() {}, items() {}, done() {}, unconfirmed: () => [], attach() {}, detach() {}, flush() {} },
    start: (id: string) => void begun.push(id),
  };
  let hold: PromiseWithResolvers<void> | null = null;
  const standing = { wait: () => (begun.length === 0 ? null : (hold = Promise.withResolvers<void>()).promise) };
  const runner = createRunner({ report, ship() {}, tools, standing, workerId: () => 'w' });
  const node = (id: string) => ({
    ...{ id, type: 'transform', name: id, runTimeoutSeconds: 600 },
    config: { expression: '1' },
  });
  const lease = {
    ...{ id: 'first', attempt: 1, jobId: 'j', workflowId: 'w', environment: null, commit: 'c', node: 'a' },
    ...{ replica: 0, item: null, input: {}, chain: [{ id: 'second', node: 'b' }] },
  } as Lease;
  runner.addCommit('c', [node('a'), node('b')]);
  runner.run([lease]);
  while (hold === null) await new Promise((resolve) => setImmediate(resolve));
  runner.loseLeases(['second'], [1]);
  (hold as PromiseWithResolvers<void>).resolve();
  await runner.idle();
  await close();
  expect(begun).toEqual(['first']);
});
