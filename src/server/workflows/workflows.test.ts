import { applyPatch } from 'rfc6902';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Definition } from '../../contract/definition.ts';
import { versionObjects } from '../../lib/git.ts';
import { parseJson } from '../../lib/json.ts';
import type { Feed } from '../feed/port.ts';
import type { Store } from '../store/port.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import type { Actor, Workflows } from './port.ts';
import { createWorkflows } from './workflows.ts';
import { emptyDatabase } from '../testing/empty-database.fixture.ts';

const actor: Actor = { name: 'Ada', role: 'admin', address: null };
let now = Date.parse('2026-01-01T00:00:00.000Z');
const clock = { now: () => now };
let store: Store;
let workflows: Workflows;
let published: string[];
let audited: string[];
let file: string;

function build(): Workflows {
  const feed = { publish: (_kind: string, id: string) => void published.push(id) } as unknown as Feed;
  return createWorkflows({
    store,
    clock,
    feed,
    audit: { record: (_db, _actor, entry) => void audited.push(entry.action) },
  });
}

beforeEach(async () => {
  file = await emptyDatabase('workflows', 'master.db');
  store = openSqlite({ file, durability: 'normal' });
  published = [];
  audited = [];
  workflows = build();
  return () => store.close();
});

const definition = (over: Partial<Definition> = {}): Definition => ({
  schemaVersion: 1,
  name: 'Upper',
  response: 'list',
  nodes: [
    { id: 'in', type: 'input' },
    { id: 'up', type: 'transform', config: { expression: '$uppercase(content)' } },
    { id: 'out', type: 'output' },
  ],
  edges: [
    { from: 'in', to: 'up' },
    { from: 'up', to: 'out' },
  ],
  output: 'out',
  ...over,
});

async function withCommits(count: number): Promise<string[]> {
  await workflows.create({ id: 'upper', name: 'Upper' }, actor);
  const hashes: string[] = [];
  for (let i = 0; i < count; i++)
    hashes.push(
      (
        await workflows.commit(
          'upper',
          { definition: definition(), message: `Version ${i}`, parent: hashes.at(-1) ?? null },
          actor,
        )
      ).hash,
    );
  return hashes;
}

const code = (run: Promise<unknown>) =>
  run.then(
    () => 'no error',
    (error: { code?: string }) => error.code,
  );

describe('versions', () => {
  it('form a chain of Git commits that the record alone rebuilds', async () => {
    now = Date.parse('2026-02-03T04:05:06.789Z');
    const hashes = await withCommits(3);
    const { items } = await workflows.commits('upper', { page: 0, size: 20 });
    expect(items.map((c) => c.hash)).toEqual([...hashes].reverse());
    for (const { hash } of items) {
      const { definition: saved, ...record } = await workflows.commitDetail('upper', hash);
      expect(versionObjects({ workflowId: 'upper', definition: saved, ...record }).commit.id).toBe(hash);
    }
  });

  it('are made of an unchanged definition too, each with its own hash', async () => {
    const hashes = await withCommits(5);
    expect(new Set(hashes).size).toBe(5);
  });

  it('never go back in time', async () => {
    const [first] = await withCommits(1);
    now -= 3_600_000;
    const second = await workflows.commit(
      'upper',
      { definition: definition(), message: 'Later', parent: first as string },
      actor,
    );
    expect(second.createdAt).toBe((await workflows.commitDetail('upper', first as string)).createdAt);
  });

  it('rename the workflow where they change the name, and leave a name alone that was given by hand', async () => {
    const [first = ''] = await withCommits(1);
    const save = async (name: string, parent: string) =>
      (await workflows.commit('upper', { definition: definition({ name }), message: name, parent }, actor)).hash;
    const second = await save('Capitals', first);
    expect((await workflows.get('upper')).name).toBe('Capitals');
    await workflows.update('upper', { name: 'By hand' }, actor);
    const third = await save('Capitals', second);
    expect((await workflows.get('upper')).name).toBe('By hand');
    await save('Upper case', third);
    expect((await workflows.get('upper')).name).toBe('Upper case');
  });

  it('keep numbers that a double cannot hold where they only pass through, and round settings', async () => {
    await workflows.create({ id: 'big', name: 'Big' }, actor);
    const nodes = [
      { id: 'in', type: 'input' },
      { id: 'up', type: 'http', retries: 7, config: { method: 'POST', url: 'http://a', body: 'N', timeoutSeconds: 8 } },
      { id: 'out', type: 'output' },
    ];
    const big = parseJson(
      JSON.stringify(definition({ input: { const: 'N' }, nodes }))
        .replaceAll('"N"', '12345678901234567890')
        .replace(':7', ':2.0000000000000001')
        .replace(':8', ':5.0000000000000001'),
    ) as Definition;
    const { hash } = await workflows.commit('big', { definition: big, message: 'Big', parent: null }, actor);
    const saved = await workflows.commitDetail('big', hash);
    expect(JSON.stringify(saved.definition).match(/12345678901234567890/g)).toHaveLength(2);
    expect(saved).toMatchObject({
      faults: [],
      definition: { nodes: [{}, { retries: 2, config: { timeoutSeconds: 5 } }, {}] },
    });
  });

  it('refuse a parent that is not the head, and name the head', async () => {
    const [first, second] = await withCommits(2);
    for (const parent of [first as string, null, 'f'.repeat(40)])
      await expect(
        workflows.commit('upper', { definition: definition(), message: 'm', parent }, actor),
      ).rejects.toMatchObject({ code: 'STALE_PARENT', extra: { head: second } });
    const racing = await Promise.all(
      [1, 2, 3].map((n) =>
        code(
          workflows.commit(
            'upper',
            { definition: definition(), message: `race ${n}`, parent: second as string },
            actor,
          ),
        ),
      ),
    );
    expect(racing.sort()).toEqual(['STALE_PARENT', 'STALE_PARENT', 'no error']);
  });

  it('are found by an unambiguous prefix', async () => {
    const hashes = await withCommits(40);
    const hash = hashes[0] as string;
    expect((await workflows.commitDetail('upper', hash.slice(0, 12))).hash).toBe(hash);
    expect(await code(workflows.commitDetail('upper', '0000'))).toBe('COMMIT_NOT_FOUND');
    expect(await code(workflows.commitDetail('other', hash))).toBe('WORKFLOW_NOT_FOUND');
    const first = hashes.find(
      (h, _i, all) => /^[a-f]/.test(h) && all.filter((o) => o[0] === h[0]).length > 1,
    ) as string;
    expect(await code(workflows.commitDetail('upper', first.slice(0, 1)))).toBe('COMMIT_AMBIGUOUS');
  });

  it('are found by their number and by a tag', async () => {
    const [first = '', second = '', third = ''] = await withCommits(3);
    const named = async (name: string) => (await workflows.commitDetail('upper', name)).hash;
    expect([await named('1'), await named('v2'), await named('V3')]).toEqual([first, second, third]);
    await workflows.setTag('upper', 'stable', 'v2', actor);
    // A tag may look like a number: whoever made it means it.
    await workflows.setTag('upper', 'v1', third, actor);
    expect([await named('stable'), await named('v1'), await named('1')]).toEqual([second, third, first]);
    expect([await code(named('v4')), await code(named('0')), await code(named('none'))]).toEqual([
      'COMMIT_NOT_FOUND',
      'COMMIT_NOT_FOUND',
      'COMMIT_NOT_FOUND',
    ]);
    expect(await workflows.publish('upper', 'dev', { hash: 'stable' }, actor)).toMatchObject({ hash: second });
    expect(workflows.runnable('upper', 'stable').commit).toBe(second);
  });

  it('with faults are saved and told apart', async () => {
    await workflows.create({ id: 'draft', name: 'Draft' }, actor);
    const saved = await workflows.commit(
      'draft',
      { definition: definition({ output: 'nowhere' }), message: 'wip', parent: null },
      actor,
    );
    expect(saved).toMatchObject({ valid: false, faults: [{ pointer: '/output', code: 'OUTPUT_MISSING' }] });
    await expect(workflows.publish('draft', 'dev', { hash: saved.hash }, actor)).rejects.toMatchObject({
      code: 'INVALID_DAG',
      errors: [{ pointer: '/output' }],
    });
  });

  it('differ by patches that lead from one to the other', async () => {
    const [first] = await withCommits(1);
    const changed = definition({
      name: 'Louder',
      nodes: [
        { id: 'in', type: 'input' },
        { id: 'up', type: 'transform', config: { expression: '$uppercase(content) & "!"' }, retries: 1 },
        { id: 'wait', type: 'delay', config: { seconds: 1 } },
        { id: 'end', type: 'output' },
      ],
      edges: [
        { from: 'in', to: 'up' },
        { from: 'up', to: 'wait' },
        { from: 'wait', to: 'end' },
      ],
      output: 'end',
    });
    const second = await workflows.commit(
      'upper',
      { definition: changed, message: 'Louder', parent: first as string },
      actor,
    );
    const diff = JSON.parse(await workflows.diffText('upper', first as string, second.hash));
    expect(diff).toMatchObject({
      from: first,
      to: second.hash,
      nodes: { added: [{ id: 'wait' }, { id: 'end' }], removed: [{ id: 'out' }], changed: [{ id: 'up' }] },
      edges: {
        added: [
          { from: 'up', to: 'wait' },
          { from: 'wait', to: 'end' },
        ],
        removed: [{ from: 'up', to: 'out' }],
      },
    });
    const node = structuredClone(definition().nodes[1]);
    applyPatch(node, structuredClone(diff.nodes.changed[0]?.patch) as never);
    expect(node).toEqual(changed.nodes[1]);
    expect(JSON.parse(await workflows.diffText('upper', second.hash, second.hash))).toMatchObject({
      nodes: { added: [], removed: [], changed: [] },
      edges: { added: [], removed: [] },
      settings: [],
    });
  });
});

describe('publication', () => {
  it('holds for the next call, overwrites, rolls back, and is logged', async () => {
    const [a, b] = (await withCommits(2)) as [string, string];
    expect(workflows.endpoint('none', 'dev').found).toBe('workflow-unknown');
    expect(workflows.endpoint('upper', 'dev').found).toBe('not-published');
    for (const hash of [a, b, a]) {
      await workflows.publish('upper', 'dev', { hash: hash.slice(0, 10), description: `to ${hash}` }, actor);
      expect(workflows.endpoint('upper', 'dev')).toMatchObject({ found: 'published', runnable: { commit: hash } });
    }
    await workflows.publish('upper', 'prod', { hash: a }, actor);
    expect((await workflows.commitDetail('upper', a)).environments).toEqual(['dev', 'prod']);
    expect(await code(workflows.unpublish('upper', 'dev', { expected: '0'.repeat(40) }, actor))).toBe(
      'ENVIRONMENT_MOVED',
    );
    await workflows.unpublish('upper', 'dev', {}, actor);
    expect(workflows.endpoint('upper', 'dev').found).toBe('not-published');
    expect(await code(workflows.unpublish('upper', 'dev', {}, actor))).toBe('NOT_PUBLISHED');
    const { items } = await workflows.publications('upper', { page: 0, size: 20 });
    expect(items.map((p) => [p.environment, p.hash, p.previousHash])).toEqual([
      ['dev', null, a],
      ['prod', a, null],
      ['dev', a, b],
      ['dev', b, a],
      ['dev', a, null],
    ]);
    expect(items.map((p) => [p.number, p.previousNumber])).toEqual([
      [null, 1],
      [1, null],
      [1, 2],
      [2, 1],
      [1, null],
    ]);
    expect(workflows.recentPublications(5).map(({ number }) => number)).toEqual(items.map(({ number }) => number));
    expect(published).toEqual(items.map((p) => p.id).reverse());
    expect(await workflows.environments('upper')).toMatchObject([
      { environment: 'dev', hash: null },
      { environment: 'staging', hash: null },
      { environment: 'prod', hash: a },
    ]);
  });

  it('moves only from where the caller saw it', async () => {
    const [a, b] = (await withCommits(2)) as [string, string];
    await workflows.publish('upper', 'dev', { hash: a, expected: null }, actor);
    await expect(workflows.publish('upper', 'dev', { hash: b, expected: null }, actor)).rejects.toMatchObject({
      code: 'ENVIRONMENT_MOVED',
      extra: { current: a },
    });
    await workflows.publish('upper', 'dev', { hash: b, expected: a }, actor);
  });

  it('outlives a restart', async () => {
    const [a] = (await withCommits(1)) as [string];
    await workflows.publish('upper', 'staging', { hash: a }, actor);
    await store.close();
    store = openSqlite({ file, durability: 'normal' });
    expect(build().endpoint('upper', 'staging')).toMatchObject({ found: 'published', runnable: { commit: a } });
  });

  it('ends with the archive, where the history stays', async () => {
    const [a] = (await withCommits(1)) as [string];
    await workflows.publish('upper', 'dev', { hash: a }, actor);
    await workflows.archive('upper', actor);
    expect(workflows.endpoint('upper', 'dev').found).toBe('workflow-unknown');
    expect((await workflows.get('upper')).archivedAt).not.toBeNull();
    expect((await workflows.commits('upper', { page: 0, size: 20 })).totalItems).toBe(1);
    expect((await workflows.list({ page: 0, size: 20, sort: 'createdAt,desc' })).totalItems).toBe(0);
    expect((await workflows.list({ page: 0, size: 20, sort: 'createdAt,desc', archived: true })).totalItems).toBe(1);
    const changes = [
      () => workflows.archive('upper', actor),
      () => workflows.update('upper', { name: 'x' }, actor),
      () => workflows.publish('upper', 'dev', { hash: a }, actor),
      () => workflows.commit('upper', { definition: definition(), message: 'm', parent: a }, actor),
    ];
    for (const change of changes) expect(await code(change())).toBe('WORKFLOW_NOT_FOUND');
    expect(await code(workflows.create({ id: 'upper', name: 'Again' }, actor))).toBe('WORKFLOW_EXISTS');
  });
});

it('checks inputs against the schema of the published commit', async () => {
  await workflows.create({ id: 'strict', name: 'Strict' }, actor);
  const { hash } = await workflows.commit(
    'strict',
    {
      definition: definition({
        input: { type: 'object', required: ['content'], properties: { content: { type: 'string' } } },
      }),
      message: 'm',
      parent: null,
    },
    actor,
  );
  await workflows.publish('strict', 'dev', { hash }, actor);
  const endpoint = workflows.endpoint('strict', 'dev');
  if (endpoint.found !== 'published') throw new Error('not published');
  expect(endpoint.runnable.checkInput({ content: 'x' })).toBeNull();
  expect(endpoint.runnable.checkInput({ content: 1 })).toEqual([{ pointer: '/content', message: 'must be string' }]);
});

it('finds workflows by a part of their id or name, in the order asked for', async () => {
  for (const [id, name] of [
    ['b', 'Beta 100%'],
    ['a', 'alpha'],
    ['c', 'Gamma_x'],
  ] as const) {
    now += 1000;
    await workflows.create({ id, name }, actor);
  }
  const ids = async (query: object) =>
    (await workflows.list({ page: 0, size: 20, sort: 'createdAt,desc', ...query })).items.map((w) => w.id);
  expect(await ids({})).toEqual(['c', 'a', 'b']);
  expect(await ids({ sort: 'name,asc' })).toEqual(['a', 'b', 'c']);
  expect(await ids({ q: '100%' })).toEqual(['b']);
  expect(await ids({ q: '_' })).toEqual(['c']);
  expect(audited).toEqual(['workflow.create', 'workflow.create', 'workflow.create']);
});

it('numbers versions, and names them by tags that stand at one version each', async () => {
  const [first = '', second = ''] = await withCommits(2);
  const shown = async () =>
    (await workflows.commits('upper', { page: 0, size: 10 })).items.map(({ number, tags }) => [number, tags]);
  expect(await shown()).toEqual([
    [2, []],
    [1, []],
  ]);
  await workflows.setTag('upper', 'stable', first.slice(0, 8), actor);
  await workflows.setTag('upper', '2.0', first, actor);
  expect(await shown()).toEqual([
    [2, []],
    [1, ['2.0', 'stable']],
  ]);
  expect(await workflows.setTag('upper', 'stable', second, actor)).toMatchObject({ number: 2, tags: ['stable'] });
  await workflows.removeTag('upper', '2.0', actor);
  await workflows.removeTag('upper', '2.0', actor);
  expect(await shown()).toEqual([
    [2, ['stable']],
    [1, []],
  ]);
  expect(audited.filter((action) => action.includes('tag'))).toEqual([
    'workflow.tag',
    'workflow.tag',
    'workflow.tag',
    'workflow.untag',
  ]);
  await expect(workflows.setTag('upper', 'x', '0'.repeat(40), actor)).rejects.toMatchObject({
    code: 'COMMIT_NOT_FOUND',
  });
  await workflows.publish('upper', 'dev', { hash: second }, actor);
  expect((await workflows.environments('upper'))[0]).toMatchObject({ environment: 'dev', number: 2 });
});
