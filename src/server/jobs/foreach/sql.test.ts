import { expect, it } from 'vitest';
import { openRig } from '../../testing/engine.fixture.ts';
import { REPLICA_PROGRESS } from '../engine/sql.ts';
import { ITEM_RESULTS, ACTIVE_FOREACH_NODES, OPEN_ITEMS, WITHHELD_ITEMS } from './sql.ts';

it('reads the tasks of a replica past its items, and items in order, by one index', async () => {
  const rig = await openRig();
  const plan = (sql: string) =>
    rig.store.read
      .query<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...Array.from({ length: sql.split('?').length - 1 }, () => 0))
      .map(({ detail }) => detail)
      .join(' | ');
  expect(plan(REPLICA_PROGRESS)).toContain('task_by_job (job=? AND replica=? AND item=?)');
  expect(plan(ACTIVE_FOREACH_NODES)).toContain('fan_out_at_work');
  expect(plan(WITHHELD_ITEMS)).toContain('task_withheld (job=? AND replica=? AND node=? AND item>?)');
  for (const sql of [ITEM_RESULTS, OPEN_ITEMS])
    expect(plan(sql)).toContain('task_by_job (job=? AND replica=? AND item>? AND item<?)');
  for (const sql of [ITEM_RESULTS, OPEN_ITEMS, WITHHELD_ITEMS]) {
    expect(plan(sql)).not.toContain('TEMP B-TREE');
  }
  await rig.close();
});
