import { describe, expect, it } from 'vitest';
import type { WorkerFrame } from '../../contract/worker-protocol.ts';
import { jsonTextOf } from '../../lib/packed.ts';
import { BadFrame, parseFrameApart } from './frames.ts';
import { createInbox } from './inbox.ts';

const report = (output: unknown): Buffer => Buffer.from(JSON.stringify({ t: 'report', items: [{ e: 'done', id: 't', attempt: 1, startedAt: 1, at: 2, output }] }));
const beat = Buffer.from(JSON.stringify({ t: 'beat', cpu: 0, memory: 0, memoryTotal: 0, running: 0 }));
const large = 'x'.repeat(300_000);

/** A thread that answers when told to. */
function box() {
  const taken: WorkerFrame[] = [];
  const errors: unknown[] = [];
  const calls: (() => void)[] = [];
  const heavy = {
    call: ((_method: string, { data }: { data: Uint8Array }) => new Promise((resolve) => calls.push(() => resolve(parseFrameApart(Buffer.from(data).toString()))))) as never,
  };
  const inbox = createInbox({ take: (frame) => void taken.push(frame), refused: (error) => void errors.push(error), heavy });
  return { inbox, taken, errors, calls };
}

describe('frames of a worker', () => {
  it('are taken at once where they are small', () => {
    const { inbox, taken } = box();
    inbox.data(beat);
    expect(taken).toHaveLength(1);
  });

  it('stay in order behind a large one, which is parsed elsewhere', async () => {
    const { inbox, taken, calls } = box();
    let closed = false;
    inbox.data(report(large));
    inbox.data(beat);
    inbox.data(report(1));
    inbox.after(() => (closed = true));
    await new Promise(setImmediate);
    expect(taken).toHaveLength(0);
    calls[0]?.();
    await expect.poll(() => closed).toBe(true);
    expect(taken.map(({ t }) => t)).toEqual(['report', 'beat', 'report']);
    const [first] = taken[0]?.t === 'report' ? taken[0].items : [];
    expect(first?.e === 'done' && jsonTextOf(first.output)).toBe(JSON.stringify(large));
    inbox.data(beat);
    expect(taken).toHaveLength(4);
  });

  it('keep numbers that a double cannot hold on their way, in outputs and lists', async () => {
    const { inbox, taken, calls } = box();
    const big = '12345678901234567890';
    const items = `{"e":"items","id":"t","attempt":1,"startedAt":1,"at":2,"first":0,"items":[${big},{"n":${big}}],"more":false}`;
    inbox.data(Buffer.from(`{"t":"report","items":[${items},{"e":"done","id":"t","attempt":1,"startedAt":1,"at":2,"output":[${big},"${large}"]}]}`));
    await new Promise(setImmediate);
    calls[0]?.();
    await expect.poll(() => taken.length).toBe(1);
    const [list, end] = taken[0]?.t === 'report' ? taken[0].items : [];
    expect(list?.e === 'items' && list.items.map(jsonTextOf)).toEqual([big, `{"n":${big}}`]);
    expect(end?.e === 'done' && jsonTextOf(end.output).startsWith(`[${big},`)).toBe(true);
  });

  it('are parsed here where the thread does not take them', async () => {
    const taken: WorkerFrame[] = [];
    const inbox = createInbox({ take: (frame) => void taken.push(frame), refused: () => {}, heavy: { call: () => Promise.reject(new Error('it ended')) } });
    inbox.data(report(large));
    await expect.poll(() => taken.length).toBe(1);
  });

  it('that are large and broken are refused as small ones are', async () => {
    const { inbox, errors, calls } = box();
    inbox.data(Buffer.from(`{"t":"report","items":[{"e":"done","id":7,"pad":"${large}"}]}`));
    await new Promise(setImmediate);
    calls[0]?.();
    await expect.poll(() => errors.length).toBe(1);
    expect(errors[0]).toBeInstanceOf(BadFrame);
  });
});
