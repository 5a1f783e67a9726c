import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoint } from './code-point.fixture.ts';
import { canonicalJson } from './canonical-json.ts';
import { authorLine, cleanMessage, looseBytes, versionObjects, type GitObject } from './git.ts';
import { temporaryFolder } from './temporary-folder.fixture.ts';

const git = (cwd: string, args: string[], input?: string) =>
  execFileSync('git', args, { cwd, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });

function repository(): { folder: string; add(object: GitObject): void } {
  const folder = temporaryFolder('git');
  git(folder, ['init', '-q']);
  return {
    folder,
    add(object) {
      const file = join(folder, '.git/objects', object.id.slice(0, 2), object.id.slice(2));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, deflateSync(looseBytes(object)));
    },
  };
}

describe('version objects', () => {
  it('are what Git itself makes, and a chain of them passes fsck and prints in order', () => {
    const { folder, add } = repository();
    const hashes: string[] = [];
    let parent: string | null = null;
    for (const message of ['First', 'Zweite Fassung: größer\n\nwith a body', 'Third']) {
      const definition = { schemaVersion: 1, name: message, nodes: [] };
      const { blob, tree, commit } = versionObjects({
        workflowId: 'orders',
        definition,
        parent,
        author: authorLine('Zoë <x>'),
        createdAt: '2026-01-02T03:04:05.678Z',
        message,
      });
      expect(git(folder, ['hash-object', '--stdin'], canonicalJson(definition)).trim()).toBe(blob.id);
      expect(git(folder, ['hash-object', '-t', 'commit', '--stdin'], commit.content.toString()).trim()).toBe(commit.id);
      for (const object of [blob, tree, commit]) add(object);
      hashes.unshift(commit.id);
      parent = commit.id;
    }
    git(folder, ['update-ref', 'refs/heads/main', parent as string]);
    expect(git(folder, ['fsck', '--strict', '--full']).trim()).toBe('');
    expect(git(folder, ['log', '--format=%H', 'main']).trim().split('\n')).toEqual(hashes);
    expect(git(folder, ['log', '-1', '--format=%an <%ae>|%ct|%(trailers:key=Workflow,valueonly)', 'main']).trim()).toBe(
      'Zoë x <zo-x@yardmaster.invalid>|1767323045|orders',
    );
    expect(JSON.parse(git(folder, ['show', 'main:workflow.json']))).toEqual({
      schemaVersion: 1,
      name: 'Third',
      nodes: [],
    });
  });

  it('pass fsck for any actor and message', () => {
    const { folder, add } = repository();
    const ids: string[] = [];
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), fc.string({ unit: codePoint }), (actor, message) => {
        const { blob, tree, commit } = versionObjects({
          workflowId: 'w',
          definition: {},
          parent: null,
          author: authorLine(actor),
          createdAt: 0,
          message: cleanMessage(message),
        });
        for (const object of [blob, tree, commit]) add(object);
        ids.push(commit.id);
      }),
      { numRuns: 60 },
    );
    git(folder, ['fsck', '--strict', '--full', ...ids]);
  });
});
