import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { versionObjects } from '../lib/git.ts';
import { temporaryFolder } from '../lib/temporary-folder.fixture.ts';
import { connectToMaster } from './api-client.ts';
import { fakeMaster } from './process-io.fake.ts';

/** What commands write of the answers of a master that means harm, and of a folder that somebody prepared. */

const record = {
  workflowId: 'flow',
  definition: { schemaVersion: 1 },
  parent: null,
  author: { name: 'Ann', email: 'ann@example.org' },
  createdAt: '2026-01-01T00:00:00.000Z',
  message: 'First',
};
const hash = versionObjects(record).commit.id;
const commit = { ...record, hash, restores: null, description: null, environments: [], valid: true };
const published = { description: null, publishedAt: null, publishedBy: null };
let head: string;
let environment: object;
let listed: string;
let files: object[];
let around: string;
let folder: string;
beforeEach(() => {
  head = hash;
  environment = { environment: 'dev', hash };
  listed = hash;
  files = [];
  around = temporaryFolder('hostile');
  folder = join(around, 'a/b/folder');
  writeFileSync(join(around, 'mine'), 'mine');
});

const master = fakeMaster(({ path }) => {
  const page = { page: 0, size: 500, totalItems: 1, totalPages: 1 };
  if (path.startsWith('/api/v1/grafana')) return { files };
  if (/commits\?/.test(path)) return { items: [{ ...commit, hash: listed }], ...page };
  if (path.endsWith('/why'))
    return {
      ...{ taskId: 't', state: 'READY', reason: 'WAITING', message: 'waits \u001b]0;mine\u0007for\u009b2J a worker' },
      slots: { used: 0, total: 0, accepting: 0, workers: 0 },
    };
  if (path.includes('/commits/')) return { ...commit, faults: [] };
  return {
    id: 'flow',
    name: 'Flow',
    description: null,
    head,
    environments: [{ ...published, ...environment }],
    limits: { eventsPerSecond: null, concurrency: null },
    createdAt: record.createdAt,
    updatedAt: record.createdAt,
    archivedAt: null,
  };
});
const exportGit = () => master.yardmaster(['workflow', 'export', 'flow', '--git', folder, '--json']);
const codeOf = ({ err }: { err: string }): unknown => (err === '' ? null : JSON.parse(err).code);
const mine = () => readFileSync(join(around, 'mine'), 'utf8');

it('hands a terminal nothing that it obeys', async () => {
  const { code, out } = await master.yardmaster(['jobs', 'why', 't']);
  expect([code, out.split('\n')[0]]).toEqual([0, 'waits  ]0;mine for 2J a worker']);
});

describe('workflow export --git', () => {
  it('writes what an honest master says, twice', async () => {
    expect(await exportGit()).toMatchObject({ code: 0, err: '' });
    expect(await exportGit()).toMatchObject({ code: 0, err: '' });
    expect(readFileSync(join(folder, '.git/refs/heads/env/dev'), 'utf8')).toBe(`${hash}\n`);
  });

  it('takes no environment that leads out of the folder', async () => {
    environment = { environment: '../../../../../../../mine', hash };
    const made = await exportGit();
    expect([made.code, codeOf(made)]).toEqual([1, 'MASTER_ANSWER_INVALID']);
    expect(made.err).toContain('GET /api/v1/workflows/:id');
    expect(made.err).toContain('/environments/0/environment');
    expect(mine()).toBe('mine');
    expect(existsSync(folder)).toBe(false);
  });

  it('lets the master plant no configuration of Git', async () => {
    environment = { environment: '../../../config', hash: '[core]\n\tfsmonitor = touch owned' };
    expect(codeOf(await exportGit())).toBe('MASTER_ANSWER_INVALID');
    environment = { environment: 'dev', hash: `${hash}\n[core]\n\tfsmonitor = touch owned` };
    expect(codeOf(await exportGit())).toBe('MASTER_ANSWER_INVALID');
    expect(existsSync(join(folder, '.git'))).toBe(false);
  });

  it('takes no hash that is none', async () => {
    head = '../../../x';
    expect(codeOf(await exportGit())).toBe('MASTER_ANSWER_INVALID');
    head = hash;
    listed = '../../workflows';
    expect(codeOf(await exportGit())).toBe('MASTER_ANSWER_INVALID');
    expect(existsSync(join(folder, '.git/refs/heads/main'))).toBe(false);
  });

  it.each(['.git/config', '.git/refs/heads/main', '.git/refs/heads/env/dev', '.git/index', 'workflow.json'])(
    'does not write through a link at %s',
    async (name) => {
      mkdirSync(join(folder, '.git/refs/heads/env'), { recursive: true });
      writeFileSync(join(folder, '.git/yardmaster-workflow'), 'flow\n');
      symlinkSync(join(around, 'mine'), join(folder, name));
      expect(codeOf(await exportGit())).toBe('PATH_REFUSED');
      expect(mine()).toBe('mine');
    },
  );

  it('does not write into a linked folder', async () => {
    mkdirSync(join(around, 'other'));
    writeFileSync(join(around, 'other/yardmaster-workflow'), 'flow\n');
    mkdirSync(folder, { recursive: true });
    symlinkSync(join(around, 'other'), join(folder, '.git'));
    expect(codeOf(await exportGit())).toBe('PATH_REFUSED');
    expect(readdirSync(join(around, 'other'))).toEqual(['yardmaster-workflow']);
  });

  it('writes into no repository that is not its own or that leads Git elsewhere', async () => {
    mkdirSync(join(folder, '.git'), { recursive: true });
    const planted = '[core]\n\tfsmonitor = touch owned\n';
    writeFileSync(join(folder, '.git/config'), planted);
    expect(codeOf(await exportGit())).toBe('FOLDER_NOT_EMPTY');
    writeFileSync(join(folder, '.git/yardmaster-workflow'), 'another\n');
    expect(codeOf(await exportGit())).toBe('FOLDER_NOT_EMPTY');
    expect(readFileSync(join(folder, '.git/config'), 'utf8')).toBe(planted);
    writeFileSync(join(folder, '.git/yardmaster-workflow'), 'flow\n');
    writeFileSync(join(folder, '.git/commondir'), around);
    expect(codeOf(await exportGit())).toBe('PATH_REFUSED');
  });

  it('replaces a configuration that was planted in an earlier export', async () => {
    await exportGit();
    writeFileSync(join(folder, '.git/config'), '[core]\n\tfsmonitor = touch owned\n');
    expect(await exportGit()).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, '.git/config'), 'utf8')).not.toContain('fsmonitor');
  });
});

describe('grafana export', () => {
  const exportGrafana = () => master.yardmaster(['grafana', 'export', folder, '--json']);

  it.each(['../../../mine', '/tmp/x.json', '.bashrc', 'package.json', '.git/config', 'dashboards/../../x.json'])(
    'writes no file %s',
    async (path) => {
      files = [
        { path: 'README.md', content: '' },
        { path, content: 'theirs' },
      ];
      expect(codeOf(await exportGrafana())).toBe('MASTER_ANSWER_INVALID');
      expect(mine()).toBe('mine');
      expect(existsSync(folder)).toBe(false);
    },
  );

  it('does not follow a link in the folder', async () => {
    mkdirSync(folder, { recursive: true });
    symlinkSync(around, join(folder, 'dashboards'));
    files = [{ path: 'dashboards/x.json', content: 'theirs' }];
    expect(codeOf(await exportGrafana())).toBe('PATH_REFUSED');
    expect(existsSync(join(around, 'x.json'))).toBe(false);
    files = [{ path: 'provisioning/datasources/yardmaster.yaml', content: 'ours' }];
    expect(await exportGrafana()).toMatchObject({ code: 0 });
  });
});

describe('a download', () => {
  it('is not written through a link that lies where its first bytes would go', async () => {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'jobs.json');
    symlinkSync(join(around, 'mine'), `${file}.part`);
    symlinkSync(join(around, 'mine'), file);
    expect(await master.yardmaster(['jobs', 'export', '--output', file, '--json'])).toMatchObject({ code: 0 });
    expect(mine()).toBe('mine');
    expect(lstatSync(file).isFile()).toBe(true);
    expect(readdirSync(folder).toSorted()).toEqual(['jobs.json', 'jobs.json.part']);
  });
});

it('is not followed to another address, nor read without an end', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url?.startsWith('/elsewhere') === true) return void response.end('{}');
    if (request.method === 'PUT') return void response.writeHead(307, { location: '/elsewhere' }).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(1024 * 1024, '[')));
    };
    response.on('drain', more);
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const api = connectToMaster({ url, token: 'ymt_x' }, { env: {} });
    await expect(
      api.call('secrets.set', { params: { name: 'A' }, body: { value: 'kept to itself' } } as never),
    ).rejects.toMatchObject({ code: 'MASTER_UNREACHABLE', message: expect.stringContaining('/elsewhere') });
    expect(asked).toEqual(['/api/v1/secrets/A']);
    await expect(api.call('workflows.list', { query: {} } as never)).rejects.toThrow(/more than|no response/);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
