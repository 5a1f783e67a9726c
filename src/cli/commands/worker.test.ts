import { describe, expect, it, vi } from 'vitest';
import type { RunningWorker, WorkerOptions } from '../../contract/process.ts';
import { run } from '../program.ts';
import { fakeIo } from '../process-io.fake.ts';

describe('a worker that is told by standard input where its master is', () => {
  const env = { YARDMASTER_WORKER_TOKEN: 'ymt_x' };
  function withWorker(firstLine: () => Promise<string | null>) {
    const seen: { options?: WorkerOptions } = {};
    const startWorker = async (options: WorkerOptions): Promise<RunningWorker> => {
      seen.options = options;
      return { workerId: 'w', master: options.master, closed: Promise.resolve(), close: async () => {} };
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

describe('several masters of a cluster', () => {
  const join = async (args: string[], env: Record<string, string> = {}) => {
    const seen: { options?: WorkerOptions } = {};
    const startWorker = async (options: WorkerOptions): Promise<RunningWorker> => {
      seen.options = options;
      return { workerId: 'w', master: options.others?.[0] ?? '', closed: Promise.resolve(), close: async () => {} };
    };
    const { io, out, err } = fakeIo({
      env: { YARDMASTER_WORKER_TOKEN: 'ymt_x', ...env },
      load: async () => ({ startWorker }),
    });
    const code = await run(['worker', ...args], io);
    return { code, out, told: err.join('\n'), masters: seen.options && [seen.options.master, ...seen.options.others!] };
  };
  const [a, b] = ['https://a.example:8700', 'https://b.example:8700'];

  it.each([
    [[`--master`, `${a}, ${b}/`]],
    [['--master', a, '--master', b]],
    [['--master', `${a},${b}`, '--master', a]],
  ])('are all taken from %j, each once', async (args) => {
    expect((await join(args)).masters).toEqual([a, b]);
  });
  it('are named by the environment too, and the ready line names the one that answered', async () => {
    // Commander looks at the real environment.
    vi.stubEnv('YARDMASTER_MASTER', `${a},${b}`);
    const { masters, out } = await join(['--json'], { YARDMASTER_MASTER: `${a},${b}` });
    vi.unstubAllEnvs();
    expect(masters).toEqual([a, b]);
    expect(JSON.parse(out[0] ?? '')).toMatchObject({ event: 'ready', master: b });
  });
  it.each([
    [[`${a},ftp://b.example`], '"ftp://b.example"'],
    [[`${a},http://b.example`], 'not encrypted'],
    [[`-,${a}`], 'name no other beside it'],
    [[','], 'must be an http or https URL'],
  ])('are refused where one of %j is no good', async ([given = ''], why) => {
    const { code, told, masters } = await join(['--master', given]);
    expect([code, masters]).toEqual([2, undefined]);
    expect(told).toContain(why);
  });
});

describe('a master on another machine', () => {
  const env = { YARDMASTER_WORKER_TOKEN: 'ymt_x' };
  const join = async (...args: string[]) => {
    let token = '';
    const startWorker = async (options: WorkerOptions): Promise<RunningWorker> => {
      token = options.token;
      return { workerId: 'w', master: options.master, closed: Promise.resolve(), close: async () => {} };
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
  it('is sent no log lines in the clear', async () => {
    const { code, told } = await join('https://yard.example', '--logstash', 'logs.example:9000');
    expect(code).toBe(2);
    expect(told).toMatch(/log pipeline on logs\.example.*tls:.*--allow-plain/s);
  });
  it.each([
    [['http://yard.example:8700', '--allow-plain']],
    [['https://yard.example']],
    [['http://127.0.0.1:8700']],
    [['http://localhost:8700']],
    [['http://[::1]:8700']],
    [['http://127.0.0.1:8700', '--logstash', 'tls://logs.example:9000']],
    [['http://127.0.0.1:8700', '--logstash', '127.0.0.1:9000']],
    [['http://127.0.0.1:8700', '--logstash', 'logs.example:9000', '--allow-plain']],
  ])('is joined by %j', async (args) => {
    expect(await join(...args)).toMatchObject({ code: 0, token: 'ymt_x' });
  });
});
