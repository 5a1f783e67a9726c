import { expect, it } from 'vitest';
import { Fault } from '../../../lib/fault.ts';
import { openRig, workflow } from '../../testing/engine.fixture.ts';

it('skips no job where it is not known whether a write was kept', async () => {
  const rig = await openRig();
  const ids = await Promise.all(
    Array.from({ length: 300 }, () => rig.submit(workflow({ a: {} }, ['input>a', 'a>output']))),
  );
  const { write } = rig.store;
  let unsure = 2;
  const dealtWith = () => rig.store.read.query<{ done: number }>('SELECT done FROM operation').get()?.done ?? 0;
  rig.store.write = async (command, committed) => {
    const before = dealtWith();
    const result = await write(command, committed);
    // Committed locally, but the lease of the master expires before the journal has it.
    if (dealtWith() > before && unsure-- > 0) throw new Fault('NO_OWNER', 'not known whether it was kept');
    return result;
  };
  const { operationId } = await rig.jobs.operations.submit(
    { kind: 'kill', target: { ids }, nonRetryable: false },
    'ann',
  );
  const operation = () => rig.jobs.operations.get(operationId);
  await expect.poll(operation).toMatchObject({ status: 'DONE', done: 300, failed: 0 });
  expect(unsure).toBeLessThan(1);
  await rig.close();
});
