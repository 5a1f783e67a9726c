import { expect, it } from 'vitest';
import { openPoolRig } from '../../testing/worker-pool.fixture.ts';
import { submission, workflow } from '../../testing/engine.fixture.ts';

it('gives all first tasks of a replica its input, also where a list among them came in between two slices', async () => {
  const rig = await openPoolRig();
  const list = { type: 'forEach', config: { items: '$', node: { type: 'transform', config: { expression: '$' } } } };
  const flow = workflow({ a: list, b: {}, c: {}, end: {} }, [
    'input>a',
    'input>b',
    'input>c',
    'a>end',
    'b>end',
    'c>end',
    'end>output',
  ]);
  await rig.addWorker('w', 10_000);
  // Each list comes in as soon as it was handed out, before more is born.
  rig.leases.push = (held) => {
    if (held.node === 'a' && held.item === null)
      rig.events.report('w', [
        {
          e: 'items',
          id: held.id,
          attempt: held.attempt,
          startedAt: 0,
          at: 0,
          first: 0,
          items: ['an item'],
          more: false,
        },
      ]);
    return 0;
  };
  const { jobId } = await rig.jobs.submit(
    submission(
      flow,
      Array.from({ length: 200 }, (_, n) => ({ n })),
    ),
  );
  await expect.poll(async () => (await rig.jobs.tasks(jobId, { page: 0, size: 1, node: 'c' })).totalItems).toBe(200);
  for (const node of ['b', 'c']) {
    const { items } = await rig.jobs.tasks(jobId, { page: 0, size: 200, node });
    expect(items.filter(({ input, replica }) => JSON.stringify(input) !== `{"n":${replica}}`)).toEqual([]);
  }
  await rig.close();
});
