import { expect, it } from 'vitest';
import { Command } from 'commander';
import type { RunningMaster } from '../../contract/process.ts';
import { masterOptions, readyLines } from './master.ts';
import { listOrSwitch, option } from '../options.ts';

const flags = { host: '127.0.0.1', workers: 0, capacity: 1, store: 'sqlite', drainSeconds: 1 };
const io = { env: {}, out: () => {}, err: () => {} };
const options = (given: Partial<Parameters<typeof masterOptions>[0]>) => masterOptions({ ...flags, ...given }, io);

it('stands behind a proxy only with the names that it is called by', () => {
  expect(() => options({ behindProxy: true })).toThrow(/--allowed-hosts yardmaster\.example\.com/);
  expect(() => options({ behindProxy: ['10.0.0.5'], allowedHosts: [] })).toThrow(/needs --allowed-hosts/);
  expect(options({ behindProxy: true, allowedHosts: ['yard.example'] }).proxies).toEqual(['127.0.0.0/8', '::1']);
  expect(options({ behindProxy: ['10.0.0.5'], allowedHosts: ['yard.example'] }).proxies).toEqual(['10.0.0.5']);
  expect(options({}).proxies).toBeNull();
});

it('takes no proxy by its name', () => {
  expect(() => options({ behindProxy: ['proxy.local'], allowedHosts: ['yard.example'] })).toThrow(/"proxy\.local"/);
});

it.each([
  [['--behind-proxy'], {}, true],
  [['--behind-proxy', '10.0.0.5,10.1.0.0/16'], {}, ['10.0.0.5', '10.1.0.0/16']],
  [[], { YARDMASTER_BEHIND_PROXY: '1' }, true],
  [[], { YARDMASTER_BEHIND_PROXY: 'true' }, true],
  [[], { YARDMASTER_BEHIND_PROXY: '10.0.0.5, ::1' }, ['10.0.0.5', '::1']],
  [[], { YARDMASTER_BEHIND_PROXY: '0' }, false],
  [[], { YARDMASTER_BEHIND_PROXY: '' }, undefined],
])('%j with %j: %j', (args, env, expected) => {
  const command = option(new Command(), { env }, '--behind-proxy [addresses]', '', { parse: listOrSwitch });
  // Commander looks at the real environment.
  const before = process.env['YARDMASTER_BEHIND_PROXY'];
  Object.assign(process.env, env);
  try {
    expect(command.parse(args, { from: 'user' }).opts()['behindProxy']).toEqual(expected);
  } finally {
    if (before === undefined) delete process.env['YARDMASTER_BEHIND_PROXY'];
    else process.env['YARDMASTER_BEHIND_PROXY'] = before;
  }
});

it('takes a public URL that is an address and no more, and is called by its name', () => {
  const { publicUrl, allowedHosts } = options({
    publicUrl: 'https://Hooks.example.com/',
    allowedHosts: ['yard.example'],
  });
  expect([publicUrl, allowedHosts]).toEqual(['https://hooks.example.com', ['yard.example', 'hooks.example.com']]);
  expect(options({}).publicUrl).toBeNull();
  for (const url of ['hooks.example.com', 'ftp://a.example', 'https://a.example/x', 'https://u:p@a.example'])
    expect(() => options({ publicUrl: url })).toThrow(/--public-url expects scheme, host and port/);
});

it('prints a link that signs in only where nobody else reaches the master', async () => {
  const running: RunningMaster = {
    ready: {
      event: 'ready',
      url: 'http://yard:8700',
      token: 'secret',
      ports: { master: 8700, logStore: null, metrics: null, logstash: 9000 },
      pid: 1,
    },
    signInUrl: () => 'http://yard:8700/#sign-in=once',
    apiKey: null,
    durability: { level: 'full', syncMs: null },
    close: async () => {},
    closed: new Promise(() => {}),
  };
  const printed = async (host: string) => (await readyLines(running, { data: '/data', host })).join('\n');
  expect(await printed('127.0.0.1')).toContain('#sign-in=once');
  expect(await printed('0.0.0.0')).toContain('Console  http://yard:8700\n');
  expect(await printed('0.0.0.0')).not.toMatch(/sign-in|secret/);
});
