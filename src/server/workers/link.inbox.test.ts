import { describe, expect, it } from 'vitest';
import { jsonTextOf, jsonTextsOf } from '../../lib/packed-inputs.ts';
import { Fault } from '../../lib/fault.ts';
import type { TakenFrame } from '../state-machines/report.ts';
import { InvalidFrame, parseFrameInThread } from './frames.ts';
import { createInbox } from './link.ts';

const report = (output: unknown): Buffer =>
  Buffer.from(
    JSON.stringify({ t: 'report', items: [{ e: 'done', id: 't', attempt: 1, startedAt: 1, at: 2, output }] }),
  );
const beat = Buffer.from(JSON.stringify({ t: 'beat', cpu: 0, memory: 0, memoryTotal: 0, running: 0 }));
const large = 'x'.repeat(300_000);

/** A thread that answers when told to. */
function box() {
  const taken: TakenFrame[] = [];
  const errors: unknown[] = [];
  const calls: (() => void)[] = [];
  const offload = {
    call: ((_method: string, { data }: { data: Uint8Array }) =>
      new Promise((resolve) => calls.push(() => resolve(parseFrameInThread(Buffer.from(data).toString()))))) as never,
  };
  const held: boolean[] = [];
  const inbox = createInbox({
    take: (frame) => void taken.push(frame),
    refused: (error) => void errors.push(error),
    offload,
    items: 100_000,
    hold: (on) => void held.push(on),
  });
  return { inbox, taken, errors, calls, held };
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
    inbox.data(
      Buffer.from(
        `{"t":"report","items":[${items},{"e":"done","id":"t","attempt":1,"startedAt":1,"at":2,"output":[${big},"${large}"]}]}`,
      ),
    );
    await new Promise(setImmediate);
    calls[0]?.();
    await expect.poll(() => taken.length).toBe(1);
    const [list, end] = taken[0]?.t === 'report' ? taken[0].items : [];
    expect(list?.e === 'items' && jsonTextsOf(list.items)).toEqual([big, `{"n":${big}}`]);
    expect(end?.e === 'done' && jsonTextOf(end.output).startsWith(`[${big},`)).toBe(true);
  });

  it('wait while the thread has no room, and nothing is read from the socket meanwhile', async () => {
    const taken: TakenFrame[] = [];
    const held: boolean[] = [];
    let asked = 0;
    const call = (_method: string, { data }: { data: Uint8Array }) =>
      ++asked < 3
        ? Promise.reject(new Fault('OVERLOADED', 'too much waits'))
        : Promise.resolve(parseFrameInThread(Buffer.from(data).toString()));
    const inbox = createInbox({
      take: (frame) => void taken.push(frame),
      refused: () => {},
      offload: { call: call as never },
      items: 100_000,
      hold: (on) => void held.push(on),
    });
    inbox.data(report(large));
    await expect.poll(() => asked).toBe(1);
    expect(held).toEqual([true]);
    await expect.poll(() => taken.length).toBe(1);
    await expect.poll(() => held).toEqual([true, false]);
  });

  it('are moved to the thread rather than copied, and refused where it ends over them, so that they are sent again', async () => {
    const errors: unknown[] = [];
    const { port1, port2 } = new MessageChannel();
    const call = (_method: string, ask: { data: Uint8Array }, moved: readonly Uint8Array[]) => {
      port1.postMessage(
        ask,
        moved.map(({ buffer }) => buffer as ArrayBuffer),
      );
      return Promise.reject(new Fault('OVERLOADED', 'the thread ended'));
    };
    const inbox = createInbox({
      take: () => {},
      refused: (error) => void errors.push(error),
      offload: { call: call as never },
      items: 100_000,
      hold: () => {},
    });
    const bytes = report(large);
    inbox.data(bytes);
    await expect.poll(() => errors.length).toBe(1);
    expect(errors[0]).toBeInstanceOf(InvalidFrame);
    expect(bytes.buffer.byteLength).toBe(0);
    port1.close();
    port2.close();
  });

  it('that are large and broken are refused as small ones are', async () => {
    const { inbox, errors, calls } = box();
    inbox.data(Buffer.from(`{"t":"report","items":[{"e":"done","id":7,"pad":"${large}"}]}`));
    await new Promise(setImmediate);
    calls[0]?.();
    await expect.poll(() => errors.length).toBe(1);
    expect(errors[0]).toBeInstanceOf(InvalidFrame);
  });

  it('that are large are taken in parts, between which others have their turn, and hold up those behind them', async () => {
    const { inbox, taken, calls, held } = box();
    const leases = Array.from({ length: 4000 }, (_, i) => ({ id: `${i} ${'x'.repeat(40)}`, attempt: 1 }));
    inbox.data(Buffer.from(JSON.stringify({ t: 'gone', leases })));
    inbox.data(beat);
    await new Promise(setImmediate);
    calls[0]?.();
    let most = 0;
    for (let before = 0; held.length < 2; before = taken.length) {
      await new Promise(setImmediate);
      most = Math.max(most, taken.length - before);
    }
    await expect.poll(() => taken.at(-1)?.t).toBe('beat');
    expect(most).toBeLessThan(3);
    const parts = taken.flatMap((frame) => (frame.t === 'gone' ? [frame.leases] : []));
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(500);
    expect(parts.flat()).toEqual(leases);
  });

  it('that are large outputs are taken one by one', async () => {
    const { inbox, taken, calls } = box();
    const item = (id: string) => ({ e: 'done', id, attempt: 1, startedAt: 1, at: 2, output: large });
    inbox.data(Buffer.from(JSON.stringify({ t: 'report', items: ['a', 'b', 'c'].map(item) })));
    await new Promise(setImmediate);
    calls[0]?.();
    await expect.poll(() => taken.length).toBe(3);
    expect(taken.map((frame) => (frame.t === 'report' ? frame.items.map(({ id }) => id) : null))).toEqual([
      ['a'],
      ['b'],
      ['c'],
    ]);
  });

  it('say hello as a whole', async () => {
    const { inbox, taken, calls } = box();
    const running = Array.from({ length: 3000 }, (_, i) => ({ id: `${i} ${'x'.repeat(40)}`, attempt: 1 }));
    const hello = {
      t: 'hello',
      protocol: 1,
      workerId: null,
      version: '',
      url: '',
      capacity: 1,
      labels: {},
      handlers: [],
    };
    inbox.data(Buffer.from(JSON.stringify({ ...hello, running })));
    await new Promise(setImmediate);
    calls[0]?.();
    await expect.poll(() => taken.length).toBe(1);
    expect(taken[0]).toEqual({ ...hello, running });
  });

  it('that take long hold up those behind them, and nothing is read meanwhile', async () => {
    const taken: string[] = [];
    const held: boolean[] = [];
    let finish = () => {};
    const inbox = createInbox({
      take(frame) {
        taken.push(frame.t);
        return frame.t === 'metrics' ? new Promise((resolve) => (finish = resolve)) : undefined;
      },
      refused: () => {},
      offload: null,
      items: 10,
      hold: (on) => void held.push(on),
    });
    inbox.data(Buffer.from('{"t":"metrics","points":[]}'));
    inbox.data(beat);
    expect(held).toEqual([true]);
    await new Promise(setImmediate);
    expect(taken).toEqual(['metrics']);
    finish();
    await expect.poll(() => taken).toEqual(['metrics', 'beat']);
    expect(held).toEqual([true, false]);
  });
});
