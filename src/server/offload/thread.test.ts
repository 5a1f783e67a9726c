import { afterEach, describe, expect, it, vi } from 'vitest';
import type { EchoMethods } from './echo-thread.fixture.ts';
import { createThread, type Thread, type ThreadOptions } from './thread.ts';

let thread: Thread<EchoMethods>;
const exits: (string | null)[] = [];
function open(options: Partial<ThreadOptions<EchoMethods, string>> = {}): Thread<EchoMethods> {
  return (thread = createThread<EchoMethods, string>({
    file: new URL('./echo-thread.fixture.ts', import.meta.url),
    name: 'the thread',
    data: () => 'data',
    onExit: (why) => void exits.push(why),
    ...options,
  }));
}
afterEach(async () => {
  await thread.close();
  exits.length = 0;
});

it('collects the garbage that its calls left, although none follows that would need the room', async () => {
  open();
  const before = await thread.call('collections');
  // V8 would let it have ten times as much.
  await thread.call('keep', 4_000_000);
  await thread.call('drop');
  await expect.poll(() => thread.call('collections')).toBeGreaterThan(before);
});

describe('a call', () => {
  it('starts the thread, which knows its data, and resolves to a copy of the result', async () => {
    open();
    expect(thread.running).toBe(false);
    expect(await thread.call('data')).toBe('data');
    expect(await thread.call('echo', { n: [1n, null, undefined] })).toEqual({ n: [1n, null, undefined] });
  });

  it('hands bytes over, there and back', async () => {
    open();
    const bytes = new Uint8Array(1000);
    expect(await thread.call('size', bytes)).toBe(1000);
    expect(bytes.byteLength).toBe(0);
    const shared = new Uint8Array(new ArrayBuffer(1000), 10, 20);
    expect(await thread.call('size', shared)).toBe(20);
    expect(shared.byteLength).toBe(20);
    expect(await thread.call('bytes', 3)).toEqual(Uint8Array.of(7, 7, 7));
  });

  it('rejects with the fault that the method threw', async () => {
    await expect(open().call('fail', 'OVERLOADED')).rejects.toMatchObject({
      code: 'OVERLOADED',
      message: 'told to',
      extra: { retryAfterSeconds: 3 },
    });
  });

  it('rejects where an argument cannot be copied, and holds no place in the queue', async () => {
    open({ queue: { most: () => 10, refusal: () => new Error('full') } });
    await expect(thread.call('echo', () => {})).rejects.toThrow('could not be cloned');
    expect(await thread.call('size', new Uint8Array(100))).toBe(100);
  });

  it('is refused where too many bytes wait, unless it is alone', async () => {
    open({ queue: { most: () => 150, refusal: (queued) => new Error(`${queued} wait`) } });
    const [first, second] = await Promise.allSettled([
      thread.call('size', new Uint8Array(200)),
      thread.call('size', new Uint8Array(1)),
    ]);
    expect(first).toMatchObject({ value: 200 });
    expect(second).toMatchObject({ reason: { message: '200 wait' } });
    expect(thread.queuedBytes).toBe(0);
  });

  it('rejects where the thread ends, and the next one starts another', async () => {
    open();
    await expect(thread.call('exit')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(exits).toEqual(['exit 3']);
    expect(await thread.call('echo', 1)).toBe(1);
  });
});

it('hears what the thread says by itself', async () => {
  const said: string[] = [];
  await open({ onEvent: (text) => void said.push(text) }).call('say', 'here');
  await vi.waitUntil(() => said.length > 0);
  expect(said).toEqual(['here']);
});

it('can be stopped whatever it does', async () => {
  open();
  const call = expect(thread.call('later', 60_000)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  await thread.call('echo', 1);
  await thread.stop();
  await call;
  expect(await thread.call('echo', 2)).toBe(2);
});

it('takes no calls once it is closed', async () => {
  open();
  const call = expect(thread.call('later', 60_000)).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
  await thread.close();
  await call;
  await expect(thread.call('echo', 1)).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
});

describe('a thread that is ended when it is idle', () => {
  it('stays for calls and sessions', async () => {
    open({ idleMs: 1 });
    expect(await thread.call('later', 100)).toBe('done');
    await vi.waitUntil(() => exits.length === 1);
    const session = thread.session();
    await session.call('later', 100);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(thread.running).toBe(true);
    session.release();
    session.release();
    await vi.waitUntil(() => exits.length === 2);
    expect(exits).toEqual([null, null]);
  });

  it('ends with its last session where it was retired, and new calls have another one', async () => {
    open();
    const [first, second] = [thread.session(), thread.session()];
    expect(second.call).toBe(first.call);
    first.retire();
    const third = thread.session();
    expect(third.call).not.toBe(first.call);
    first.release();
    expect(await second.call('echo', 1)).toBe(1);
    second.release();
    await vi.waitUntil(() => exits.length === 1);
    await expect(second.call('echo', 1)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(await third.call('echo', 2)).toBe(2);
    third.release();
  });
});

describe('a thread that is kept running', () => {
  it('starts again where it ended by itself, and learns again what it has to know', async () => {
    let starts = 0;
    open({ restartMs: 1, onStart: async (call) => void (await call('echo', ++starts)) });
    await thread.started;
    await expect(thread.call('exit')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await expect(thread.call('echo', 1)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await vi.waitUntil(() => starts === 2);
    expect(await thread.call('echo', 1)).toBe(1);
  });

  it('starts with nothing to learn as well', async () => {
    expect(await open({ restartMs: 1 }).call('echo', 1)).toBe(1);
  });

  it('says what kept it from starting', async () => {
    open({ restartMs: 1, onStart: async (call) => void (await call('fail', 'STORE_CORRUPT')) });
    await expect(thread.started).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
  });

  it('waits longer from start to start where it ends again and again', async () => {
    const at: number[] = [];
    open({ restartMs: 50, onStart: (call) => void (at.push(performance.now()), call('exit').catch(() => {})) });
    await vi.waitUntil(() => at.length >= 5);
    const waits = at.slice(1).map((time, i) => time - (at[i] ?? 0));
    expect(waits[3]).toBeGreaterThan(400);
  });
});
