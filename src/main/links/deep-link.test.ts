import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deepLink } from '../../lib/console-link.ts';
import { parseCommandLine } from './command-line.ts';
import { connectionForLink, parseLink } from './deep-link.ts';

const connections: Parameters<typeof connectionForLink>[1] = [
  { id: 'local', kind: 'local', url: 'http://127.0.0.1:8700', otherUrls: [] },
  { id: 'c0ffee', kind: 'remote', url: 'https://yard.example.com', otherUrls: ['https://standby.example.com'] },
  { id: 'cafe', kind: 'remote', url: 'https://yard.example.com:8443', otherUrls: [] },
];

test('a link names a cluster and a page of it', () => {
  expect(parseLink('yardmaster://Yard.Example.com:8443/jobs/1?tab=logs')).toEqual({
    cluster: 'yard.example.com:8443',
    path: '/jobs/1?tab=logs',
  });
  expect(parseLink('yardmaster://local')).toEqual({ cluster: 'local', path: '/' });
});

test.each([
  'https://yard.example.com/jobs',
  'yardmaster:jobs',
  'yardmaster:///jobs',
  'yardmaster://u:p@local/jobs',
  'yardmaster://local//evil.example.com',
  'yardmaster://local/\\evil.example.com',
  'yardmaster://local/jobs\u0000',
  'yardmaster://local/api/v1/settings',
  'yardmaster://local/x/../api/v1/settings',
  'yardmaster://loc%61l/jobs',
  `yardmaster://local/${'x'.repeat(5000)}`,
  'no link',
])('%s is refused', (text) => {
  expect(() => parseLink(text)).toThrow(/not a valid Yardmaster link/);
});

test('whatever comes is a page of the console, or refused', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((s) => `yardmaster://local/${s}`),
        fc.webUrl().map((s) => s.replace(/^https?/, 'yardmaster')),
      ),
      (text) => {
        try {
          const { path } = parseLink(text);
          const landed = new URL(`yardmaster://local${path}`);
          expect([landed.host, path.startsWith('//'), /^\/api(\/|$)/.test(landed.pathname)]).toEqual([
            'local',
            false,
            false,
          ]);
        } catch (error) {
          expect(error).toMatchObject({ code: 'LINK_INVALID' });
        }
      },
    ),
  );
});

test('the cluster is found by id, else by host and port; a cluster without a connection is none', () => {
  const found = (text: string) => connectionForLink(parseLink(text), connections);
  expect([
    found('yardmaster://local/'),
    found('yardmaster://cafe/'),
    found('yardmaster://yard.example.com/'),
    found('yardmaster://yard.example.com:8443/'),
    found('yardmaster://standby.example.com/'),
    found('yardmaster://elsewhere.example.com/'),
  ]).toEqual(['local', 'cafe', 'c0ffee', 'cafe', 'c0ffee', null]);
});

test('a link that is given to others leads back to the same connection', () => {
  for (const connection of connections)
    expect(connectionForLink(parseLink(deepLink(connection, '/jobs?status=FAILED')), connections)).toBe(connection.id);
});

test('the command line names links and files, and what follows -- is for the master', () => {
  expect(
    parseCommandLine(
      [
        'app',
        '--no-sandbox',
        'yardmaster://local/jobs',
        'flow.workflow.json',
        '/a/b.yardmaster-incident',
        'other.json',
        '--hidden',
        '--',
        '--data',
        'x.workflow.json',
      ],
      '/home/ada',
    ),
  ).toEqual({
    links: ['yardmaster://local/jobs'],
    files: ['/home/ada/flow.workflow.json', '/a/b.yardmaster-incident'],
    hidden: true,
  });
});

test('a file comes as a path or, from a file manager, as an address; one of another machine is none', () => {
  const files = (...words: string[]) => parseCommandLine(['app', ...words], '/home/ada').files;
  expect(
    files(
      'file:///home/ada/night%201.yardmaster-incident',
      'file://localhost/tmp/a.workflow.json',
      'FILE:///b.workflow.json',
    ),
  ).toEqual(['/home/ada/night 1.yardmaster-incident', '/tmp/a.workflow.json', '/b.workflow.json']);
  expect(
    files(
      'file://evil.example.com/share/a.workflow.json',
      'file:///etc/passwd',
      'file:///a%2fb.workflow.json',
      'file://%zz/a.workflow.json',
      '--x=file:///a.workflow.json',
    ),
  ).toEqual([]);
});
