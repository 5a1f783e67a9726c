import { beforeEach, describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../contract/definition.ts';
import type { Feed } from '../feed/port.ts';
import type { Store } from '../store/port.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import { emptyDatabase } from '../testing/empty-database.fixture.ts';
import type { Actor, Workflows } from './port.ts';
import { createWorkflows } from './workflows.ts';

const actor: Actor = { name: 'Ada', role: 'admin', address: null };
let store: Store;
let workflows: Workflows;

const open = (): Workflows =>
  createWorkflows({
    store,
    clock: { now: Date.now },
    feed: { publish: () => {} } as unknown as Feed,
    audit: { record: () => {} },
  });

beforeEach(async () => {
  store = openSqlite({ file: await emptyDatabase('publications', 'master.db'), durability: 'normal' });
  workflows = open();
  return () => store.close();
});

/** Saves a workflow whose one task is this. */
async function save(id: string, node: Omit<WorkflowNode, 'id'>): Promise<string> {
  await workflows.create({ id, name: id }, actor);
  const definition = {
    schemaVersion: 1 as const,
    name: id,
    response: 'list' as const,
    nodes: [
      { id: 'in', type: 'input' },
      { id: 'task', ...node },
      { id: 'out', type: 'output' },
    ],
    edges: [
      { from: 'in', to: 'task' },
      { from: 'task', to: 'out' },
    ],
    output: 'out',
  };
  return (await workflows.commit(id, { definition, message: 'First', parent: null }, actor)).hash;
}
const publish = (id: string, hash: string, environment: 'dev' | 'prod' = 'dev') =>
  workflows.publish(id, environment, { hash }, actor);

const code = { type: 'code', config: { source: 'return input' } };
const words = { type: 'transform', config: { expression: `'"type": "code"'` } };

describe('whether anything that is published runs code', () => {
  it('is so from its first publication to the end of its last', async () => {
    const hash = await save('coded', code);
    await publish('words', await save('words', words));
    expect(workflows.runsCode()).toBe(false);
    await publish('coded', hash);
    await publish('coded', hash, 'prod');
    expect(workflows.runsCode()).toBe(true);
    expect(open().runsCode()).toBe(true);
    await workflows.unpublish('coded', 'dev', {}, actor);
    expect(workflows.runsCode()).toBe(true);
    await workflows.unpublish('coded', 'prod', {}, actor);
    expect(workflows.runsCode()).toBe(false);
    await publish('coded', hash);
    expect(workflows.runsCode()).toBe(true);
    await workflows.archive('coded', actor);
    expect(workflows.runsCode()).toBe(false);
  });

  it('is so where code runs for each item of a list', async () => {
    await publish('each', await save('each', { type: 'forEach', config: { items: '$', node: code } }));
    expect(workflows.runsCode()).toBe(true);
  });

  it('may be so where there is too much to be searched', async () => {
    for (const id of ['a', 'b', 'c']) {
      expect(workflows.runsCode()).toBe(false);
      await publish(id, await save(id, { type: 'template', config: { template: 'x'.repeat(1_500_000) } }));
    }
    expect(workflows.runsCode()).toBe(true);
  });

  it('may be so where it cannot be read', async () => {
    await publish('words', await save('words', words));
    await store.write((db) => void db.statement('ALTER TABLE definition RENAME TO definition_lost').run());
    expect(workflows.runsCode()).toBe(true);
  });
});
