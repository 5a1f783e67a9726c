import { expect, it } from 'vitest';
import type { ReadThere } from '../../../lib/copy-read.ts';
import { openReplicaReads } from './replica-reads.ts';

const at = (turn: number) => ({ turn }) as ReadThere;
const never = new AbortController().signal;

/** Time that passes where a test says so. */
function handTime() {
  let now = 0;
  let timers: { at: number; run: () => void }[] = [];
  const after = (ms: number, run: () => void) => {
    const timer = { at: now + ms, run };
    timers.push(timer);
    return () => (timers = timers.filter((one) => one !== timer));
  };
  return {
    elapsed: () => now,
    steady: () => now,
    after,
    sleep: (ms: number) => new Promise<void>((resolve) => after(ms, resolve)),
    async pass(ms: number) {
      now += ms;
      const due = timers.filter((one) => one.at <= now);
      timers = timers.filter((one) => one.at > now);
      for (const { run } of due) run();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

function rig() {
  const time = handTime();
  const read: number[] = [];
  const reads = openReplicaReads(
    {
      answer: async ({ turn }) => {
        read.push(turn);
        return `as of ${turn}`;
      },
      close: async () => {},
    },
    time,
    1000,
  );
  return { time, read, reads };
}

it('reads at once what the copy holds, and waits for what it does not hold yet', async () => {
  const { reads, read } = rig();
  reads.reached(5);
  expect(await reads.read(at(5), never)).toBe('as of 5');
  const late = reads.read(at(7), never);
  reads.reached(6);
  await Promise.resolve();
  expect(read).toEqual([5]);
  reads.reached(8);
  expect(await late).toBe('as of 7');
});

it('gives up a copy that is far behind, and one that is followed no more', async () => {
  const { reads, time, read } = rig();
  const late = reads.read(at(7), never);
  const refused = expect(late).rejects.toThrow('has not reached turn 7');
  await time.pass(1000);
  await refused;
  const other = reads.read(at(7), never);
  const ended = expect(other).rejects.toThrow('not followed');
  await reads.close();
  await ended;
  await expect(reads.read(at(1), never)).rejects.toThrow('not followed');
  expect(read).toEqual([]);
});

it('looks at the journal at once for whoever waits, and not without end', async () => {
  const { reads, time } = rig();
  let paused = true;
  const pause = () => void reads.pause(50).then(() => (paused = false));
  pause();
  await time.pass(10);
  expect(paused).toBe(true);
  reads.read(at(1), never).catch(() => {});
  await time.pass(0);
  expect(paused).toBe(false);
  paused = true;
  pause();
  await time.pass(4);
  expect(paused).toBe(true);
  await time.pass(1);
  expect(paused).toBe(false);
});
