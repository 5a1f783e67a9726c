import { dirname, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { LIMITS } from '../../../contract/limits.ts';
import { openRig, workflow } from '../../testing/engine.fixture.ts';
import { watchIndex } from './supervise-index.ts';

it('starts its thread with the first jobs, and for whoever searches before', async () => {
  const rig = await openRig();
  let looked = 0;
  const anyJob = () => {
    looked++;
    return rig.store.read.query('SELECT 1 FROM job LIMIT 1').get() !== undefined;
  };
  const data = {
    file: rig.file,
    searchFile: join(dirname(rig.file), 'search.db'),
    limits: LIMITS,
    anyJob,
    log: () => {},
  };
  const index = watchIndex({ ...data, startMs: 1 });
  await vi.waitUntil(() => looked > 3);
  expect(index.stats()).toBeNull();
  await rig.submit(workflow({ a: {} }, ['input>a', 'a>output']), [{ i: 1 }]);
  await vi.waitUntil(() => index.stats() !== null);
  await index.close();

  const late = watchIndex({ ...data, startMs: 1e6 });
  await late.catchUp();
  expect(late.stats()).not.toBeNull();
  await late.close();
  await rig.close();
});
