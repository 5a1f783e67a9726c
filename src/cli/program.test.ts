import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, describe, expect, it } from 'vitest';
import type { MasterOptions, RunningMaster } from '../contract/process.ts';
import { run } from './program.ts';
import { fakeIo } from './process-io.fake.ts';
import { temporaryFolder } from '../lib/temporary-folder.fixture.ts';

const data = temporaryFolder('cli');
afterAll(() => rmSync(data, { recursive: true, force: true }));

describe('wrong usage exits 2', () => {
  it.each([
    [['jbos']],
    [['jobs', 'show']],
    [['jobs', 'list', '--sizes', '3']],
    [['master', '--durability', 'some']],
    [['worker', '--master', 'http://127.0.0.1:1']],
    [['workflow', 'save', 'a', 'b.json', '--url', 'http://x']],
    [['event', 'send', 'a', 'dev', '--data', data]],
    [['tokens', 'create', '--name', 'x', '--role', 'king']],
  ])('%j', async (args) => {
    const { io, out, err } = fakeIo();
    expect(await run(args, io)).toBe(2);
    expect(out).toEqual([]);
    expect(err).toHaveLength(1);
    expect(err[0]).toMatch(/^yardmaster: /);
  });

  it('and is a problem document with --json', async () => {
    const { io, err } = fakeIo();
    expect(await run(['jobs', 'list', '--size', '501', '--json'], io)).toBe(2);
    expect(JSON.parse(err.join(''))).toMatchObject({
      code: 'USAGE',
      status: 400,
      detail: expect.stringContaining('1 to 500'),
    });
  });
});

it('fails with 1 and the remedy where no master runs', async () => {
  const { io, err } = fakeIo();
  expect(await run(['jobs', 'list', '--data', data], io)).toBe(1);
  expect(err[0]).toContain('yardmaster master');
});

it('prints help and version on standard output and exits 0', async () => {
  const { io, out, err } = fakeIo();
  expect(await run(['--help'], io)).toBe(0);
  expect(await run(['--version'], io)).toBe(0);
  expect(out.join('\n')).toMatch(/workflow[\s\S]*doctor[\s\S]*\d+\.\d+\.\d+/);
  expect(err).toEqual([]);
});

describe('master', () => {
  /** A master that is ready at once; the signal stops it. */
  function withMaster(env: Record<string, string> = {}) {
    const stop = new AbortController();
    const seen: { options?: MasterOptions; closed: number } = { closed: 0 };
    const startMaster = async (options: MasterOptions): Promise<RunningMaster> => {
      seen.options = options;
      setImmediate(() => stop.abort());
      const ports = { master: 8700, logStore: null, metrics: null, logstash: 9000 };
      return {
        ready: { event: 'ready', url: 'http://127.0.0.1:8700', token: 'ymt_x', ports, pid: 4711 },
        signInUrl: () => 'http://127.0.0.1:8700/#sign-in=code',
        apiKey: null,
        durability: { level: 'full', syncMs: 0.4 },
        close: async () => void seen.closed++,
        closed: new Promise(() => {}),
      };
    };
    return { ...fakeIo({ env, load: async () => ({ startMaster }), stopped: stop.signal }), seen };
  }

  it('prints the ready line first and nothing else with --json, and closes on a signal', async () => {
    const { io, out, seen } = withMaster();
    expect(await run(['master', '--json', '--port', '0', '--data', data], io)).toBe(0);
    expect(out).toEqual([
      '{"event":"ready","url":"http://127.0.0.1:8700","token":"ymt_x","ports":{"master":8700,"logStore":null,"metrics":null,"logstash":9000},"pid":4711}',
    ]);
    expect(seen).toMatchObject({
      closed: 1,
      options: {
        port: 0,
        logstashPort: null,
        workers: 2,
        capacity: 8,
        drainSeconds: 30,
        durability: null,
        data,
        examples: null,
      },
    });
  });

  it('closes in order when whoever started it is gone, where it is told that it belongs to them', async () => {
    const gone: (() => void)[] = [];
    const { io, out, seen } = withMaster();
    const orphaned = {
      ...io,
      stopped: new AbortController().signal,
      onParentGone: (callback: () => void) => void gone.push(callback),
    };
    const ended = run(['master', '--json', '--exit-with-parent', '--data', data], orphaned);
    await expect.poll(() => out.length).toBe(1);
    expect(seen.closed).toBe(0);
    for (const callback of gone) callback();
    expect(await ended).toBe(0);
    expect(seen.closed).toBe(1);
    await run(['master', '--json', '--data', data], {
      ...io,
      onParentGone: () => expect.unreachable('nobody asked for it'),
    });
  });

  it('takes a folder of examples, and says so where it is given something else', async () => {
    const { io, err, seen } = withMaster();
    expect(await run(['master', '--data', data, '--examples', 'none'], io)).toBe(2);
    expect(err.join('\n')).toContain(
      '--examples expects a folder with *.workflow.json files, got "none"; omit the option for a store without examples',
    );
    expect(await run(['master', '--json', '--data', data, '--examples', tmpdir()], io)).toBe(0);
    expect(seen.options?.examples).toBe(tmpdir());
  });

  it('tells people where the console is', async () => {
    const { io, out } = withMaster();
    expect(await run(['master', '--data', data], io)).toBe(0);
    expect(out.join('\n')).toContain('http://127.0.0.1:8700/#sign-in=code');
    expect(out.join('\n')).toContain('master 8700, log pipeline 9000');
  });

  it('hands limits and the admin token of the environment on', async () => {
    const { io, seen } = withMaster({ YARDMASTER_ADMIN_TOKEN: 'ymt_admin', YARDMASTER_EVENT_WAIT_S: '5' });
    await run(['master', '--json', '--data', data], io);
    expect(seen.options).toMatchObject({ adminToken: 'ymt_admin', limits: { eventWaitSeconds: 5, drainSeconds: 30 } });
  });
});
