import { expect, test } from 'vitest';
import { IPC_CHANNELS, type IpcChannel } from '../../contract/ipc.ts';
import { parseArgument } from './arguments.ts';

const good = {
  'connections:add': {
    name: 'P',
    url: 'https://x',
    token: 't',
    colour: null,
    production: false,
    readOnly: false,
    allowPlain: false,
    ca: null,
    proxy: 'system',
  },
  'connections:test': { url: 'https://x', token: '' },
  'connections:update': {
    id: 'c0ffee',
    via: {
      kind: 'kubernetes',
      kubeconfig: null,
      context: 'arn:aws:eks:eu-west-1:1:cluster/yard',
      namespace: 'jobs',
      release: 'yardmaster',
      access: 'viewer',
    },
  },
  'kubernetes:contexts': { kubeconfig: '/home/ada/kubeconfig' },
  'kubernetes:releases': { kubeconfig: null, context: 'works', namespace: null },
  'connections:reconnect': { id: 'c0ffee' },
  'connections:select': { id: 'c0ffee', path: '/jobs?status=FAILED' },
  'window:theme': 'dark',
  'app:open-external': 'https://example.com',
  'app:notify': { kind: 'alert', title: 'Worker down', body: 'It does not answer', path: '/alerts' },
  'desktop:prefer': { onClose: 'tray', updateFeed: null, masterPort: 8701, metricsPort: null },
  'reports:read': { id: '20260101T000000000Z-app.json' },
  'reports:add': { message: 'x is undefined', stack: '', path: '/jobs' },
} as const;

test.each(Object.entries(good))('%s takes what its type says', (channel, argument) => {
  expect(parseArgument(channel as IpcChannel, argument)).toEqual(argument);
});

test.each(IPC_CHANNELS)('%s refuses what its type does not say', (channel) => {
  for (const bad of [42, [], { id: '../x' }, { id: 'a', extra: 1 }, 'file:///etc/passwd', undefined])
    expect(() => parseArgument(channel, bad)).toThrow(channel);
});

test('a path that would leave the origin is refused', () => {
  expect(() => parseArgument('connections:select', { id: 'local', path: 'evil.example.com' })).toThrow(/path/);
  expect(() => parseArgument('app:notify', { kind: 'bulk', title: '', body: '', path: '//evil.example.com' })).toThrow(
    /path/,
  );
});

test('names of Kubernetes, which become part of paths, are names', () => {
  for (const namespace of ['../secrets', 'a/b', 'A', '', 'x'.repeat(64), '-a'])
    expect(() => parseArgument('kubernetes:releases', { kubeconfig: null, context: 'c', namespace })).toThrow(
      'kubernetes:releases',
    );
});

test('a port is a whole number from 1 to 65535, or the usual one', () => {
  for (const masterPort of [0, -1, 1.5, 65_536, '8700'])
    expect(() => parseArgument('desktop:prefer', { masterPort })).toThrow(/masterPort/);
});
