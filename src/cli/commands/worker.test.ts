import { describe, expect, it } from 'vitest';
import type { RunningWorker, WorkerOptions } from '../../contract/process.ts';
import { run } from '../program.ts';
import { fakeIo } from '../process-io.fake.ts';

describe('a worker that is told by standard input where its master is', () => {
  const env = { YARDMASTER_WORKER_TOKEN: 'ymt_x' };
  function withWorker(firstLine: () => Promise<string | null>) {
    const seen: { options?: WorkerOptions } = {};
    const startWorker = async (options: WorkerOptions): Promise<RunningWorker> => {
      seen.options = options;
      return { workerId: 'w', closed: Promise.resolve(), close: async () => {} };
    };
    return { ...fakeIo({ env, firstLine, load: async () => ({ startWorker }) }), seen };
  }

  it('joins it at the socket and the address that the line names', async () => {
    const { io, seen } = withWorker(async () => '{"master":"http://127.0.0.1:8700","socket":"/data/workers.sock"}');
    expect(await run(['worker', '--master', '-'], io)).toBe(0);
    expect(seen.options).toMatchObject({
      master: 'http://127.0.0.1:8700',
      socket: '/data/workers.sock',
      token: 'ymt_x',
    });
  });
  it.each([null, '', '{', '{"master":"ftp://x","socket":null}', '{"master":"http://x","socket":1}'])(
    'says what the line has to be where it is %j',
    async (line) => {
      const { io, err } = withWorker(async () => line);
      expect(await run(['worker', '--master', '-'], io)).toBe(2);
      expect(err.join('\n')).toContain('{"master":"http://127.0.0.1:8700","socket":null}');
    },
  );
  it('ends at once where it is stopped before anything was said', async () => {
    const stop = new AbortController();
    const { io, seen } = withWorker(() => new Promise(() => {}));
    const ended = run(['worker', '--master', '-'], { ...io, stopped: stop.signal });
    stop.abort();
    expect(await ended).toBe(0);
    expect(seen.options).toBeUndefined();
  });
});

describe('a master on another machine', () => {
  const env = { YARDMASTER_WORKER_TOKEN: 'ymt_x' };
  const join = async (...args: string[]) => {
    let token = '';
    const startWorker = async (options: WorkerOptions): Promise<RunningWorker> => {
      token = options.token;
      return { workerId: 'w', closed: Promise.resolve(), close: async () => {} };
    };
    const { io, err } = fakeIo({ env, load: async () => ({ startWorker }) });
    return { code: await run(['worker', '--master', ...args], io), told: err.join('\n'), token };
  };

  it.each([
    'http://yard.example:8700',
    'http://10.0.0.5:8700',
    'http://127.0.0.1.example.org',
    'http://[fd00::1]:8700',
  ])('is not told the token in the clear: %s', async (master) => {
    const { code, told, token } = await join(master);
    expect([code, token]).toEqual([2, '']);
    expect(told).toMatch(/not encrypted.*--allow-plain/s);
  });
  it.each([
    [['http://yard.example:8700', '--allow-plain']],
    [['https://yard.example']],
    [['http://127.0.0.1:8700']],
    [['http://localhost:8700']],
    [['http://[::1]:8700']],
  ])('is joined by %j', async (args) => {
    expect(await join(...args)).toMatchObject({ code: 0, token: 'ymt_x' });
  });
});
