import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Fault } from '../../../lib/fault.ts';
import { versionObjects, type VersionRecord } from '../../../lib/git.ts';
import { parseJson } from '../../../lib/json.ts';
import type { MasterApi } from '../../api-client.ts';
import { exportRepository } from './git-export.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

let folder: string;
beforeEach(() => void (folder = temporaryFolder('export')));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const git = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('git', ['-C', folder, ...args], {
    encoding: 'utf8',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
  });
  expect(`${status} ${stderr}`.trim()).toBe('0');
  return stdout.trim();
};

/** A history of `count` versions as the API tells it, oldest first. */
function historyOf(count: number) {
  const versions: (VersionRecord & { hash: string })[] = [];
  for (let i = 0; i < count; i++) {
    const definition = parseJson(
      `{"10":1,"9":2,"name":"größer ${i}","big":123456789012345678901,"nodes":[{"z":[],"a":{}}]}`,
    );
    const version = {
      workflowId: 'flow',
      definition,
      parent: versions.at(-1)?.hash ?? null,
      author: { name: 'Ann Ött', email: 'ann@example.org' },
      createdAt: new Date(1.7e12 + i * 300).toISOString(),
      message: `Change ${i}\n\nwith a body`,
    };
    versions.push({ ...version, hash: versionObjects(version).commit.id });
  }
  return versions;
}

interface Given {
  params?: { hash?: string };
  query?: { page?: number };
}
/** Answers the routes that the export reads, in pages of three. */
function apiOf(versions: ReturnType<typeof historyOf>): Pick<MasterApi, 'checkedCall'> {
  const newestFirst = versions.toReversed();
  const call = async (name: string, { params = {}, query = {} }: Given = {}): Promise<unknown> => {
    const { page = 0 } = query;
    if (name === 'commits.get') return versions.find((v) => v.hash === params.hash);
    if (name === 'commits.list')
      return {
        items: newestFirst.slice(page * 3, page * 3 + 3),
        page,
        totalPages: Math.ceil(versions.length / 3),
      };
    return {
      head: newestFirst[0]?.hash ?? null,
      environments: [{ environment: 'dev', hash: versions[0]?.hash ?? null }],
    };
  };
  return { checkedCall: call as MasterApi['checkedCall'] };
}

it('writes a repository that Git finds clean, with the very hashes of the history', async () => {
  const versions = historyOf(7);
  expect(await exportRepository(apiOf(versions), 'flow', folder)).toMatchObject({
    commits: 7,
    head: versions[6]?.hash,
  });
  expect(git('fsck', '--strict', '--full')).toBe('');
  expect(git('log', '--format=%H').split('\n')).toEqual(versions.map((v) => v.hash).toReversed());
  expect(git('status', '--porcelain')).toBe('');
  expect(git('rev-parse', 'env/dev')).toBe(versions[0]?.hash);
  expect(git('log', '-1', '--format=%an|%ae|%B')).toBe(
    'Ann Ött|ann@example.org|Change 6\n\nwith a body\n\nWorkflow: flow',
  );
});

it('brings an earlier export up to date', async () => {
  const versions = historyOf(4);
  await exportRepository(apiOf(versions.slice(0, 2)), 'flow', folder);
  await exportRepository(apiOf(versions), 'flow', folder);
  expect(git('log', '--format=%H').split('\n')).toHaveLength(4);
  expect(git('fsck', '--strict')).toBe('');
  expect(git('status', '--porcelain')).toBe('');
});

it('touches no folder that holds something else', async () => {
  writeFileSync(join(folder, 'mine'), '');
  await expect(exportRepository(apiOf(historyOf(1)), 'flow', folder)).rejects.toThrow(
    'neither empty nor an earlier export',
  );
});

it('refuses a history whose hash does not match', async () => {
  const versions = historyOf(1).map((v) => ({ ...v, message: 'tampered' }));
  await expect(exportRepository(apiOf(versions), 'flow', folder)).rejects.toSatisfy(
    (error) => error instanceof Fault && error.code === 'HASH_MISMATCH',
  );
});
