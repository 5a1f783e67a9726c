import { expect, test } from '@playwright/test';
import { brokenPromises, type Call } from '../../src/server/testing/outcome-checker.fixture.ts';
import { startLoad } from '../support/cluster-load.ts';
import { forget, lastingPort, publish, startMaster, temporaryFolder } from '../support/master.ts';
import { everyJobEnds, readerOf } from '../support/outcomes.ts';
import { startRandomWorkers } from '../support/random-workers.ts';
import { SHAPES } from '../support/workflow-shapes.ts';

const SEED = 20261123;
const LIMIT = { workflowId: 'diamond', most: 2 } as const;

/** What decides over masters that share a database, tried on one that is known to keep its word: it finds what is planted, and nothing else. */
test('the checker finds lost and doubled calls that are planted, and nothing where a master that was killed kept its word', async () => {
  const port = await lastingPort();
  const data = temporaryFolder('outcomes');
  let master = await startMaster({ data, port, workers: 0 });
  const { token } = await master.call('tokens.create', { body: { name: 'workers', role: 'worker' } });
  for (const [id, { definition }] of Object.entries(SHAPES)) await publish(master, id, definition);
  await master.call('workflows.update', {
    params: { id: LIMIT.workflowId },
    body: { limits: { concurrency: LIMIT.most } },
  });
  const workers = startRandomWorkers(master.url, token, 2, 8);
  const load = startLoad({ urls: [master.url], apiKey: master.apiKey, token: master.token, seed: SEED });
  try {
    await load.accepts(20);
    await master.kill();
    master = await startMaster({ data, port, workers: 0 });
    await load.accepts(20);
    const sent = await load.stop();
    expect(load.broken).toEqual([]);
    expect(load.failures.length, 'its death was noticed').toBeGreaterThan(0);
    await everyJobEnds(master.call);
    const reader = readerOf(master.call, sent);
    expect(await brokenPromises(reader, sent, [LIMIT])).toEqual([]);

    const [first, second, ...others] = sent as [Call, Call, ...Call[]];
    const lost = '01a20000-0000-7000-8000-000000000000';
    expect(await brokenPromises(reader, [{ ...first, jobIds: [lost] }, second, ...others])).toEqual([
      `job ${lost} of call ${first.key} was acknowledged and is lost`,
    ]);
    expect(await brokenPromises(reader, [{ ...first, output: ['other'] }, second, ...others])).toEqual([
      expect.stringContaining(`of call ${first.key} came to`),
    ]);
    expect(
      await brokenPromises(reader, [{ ...first, jobIds: [...first.jobIds, ...second.jobIds] }, second, ...others]),
    ).toContainEqual(expect.stringContaining(`call ${first.key} was acknowledged as ${first.jobIds[0]} and as`));
    // A call that was carried out twice: as one whose repetition found no trace of the first.
    await master.event(`${first.workflowId}/dev`, [...first.inputs], {
      'x-external-id': first.key,
      'idempotency-key': 'another',
    });
    await everyJobEnds(master.call);
    expect(await brokenPromises(reader, sent)).toEqual([expect.stringContaining(`call ${first.key} made 2 jobs`)]);
    // A limit that is tighter than the one that held.
    expect(await brokenPromises(reader, sent, [{ ...LIMIT, most: 1 }])).toContainEqual(
      `2 tasks of ${LIMIT.workflowId} ran at once, though its limit is 1`,
    );
  } finally {
    await load.abandon();
    await workers.stop();
    await master.kill();
    forget(data);
  }
});
