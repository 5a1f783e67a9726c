import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobFilter } from '../../../contract/jobs.ts';
import { openRig, submission, workflow, type Rig } from '../../testing/engine.fixture.ts';

let rig: Rig;
beforeEach(async () => (rig = await openRig()));
afterEach(() => rig.close());

const flow = workflow({ a: {} }, ['input>a', 'a>output']);
const DUE = Date.UTC(2027, 0, 1, 6);
const schedule = { kind: 'schedule', id: 'daily', dueAt: DUE } as const;
const webhook = { kind: 'webhook', id: 'push', dueAt: null } as const;
const ids = async (filter: JobFilter) =>
  (await rig.jobs.list({ page: 0, size: 50, sort: 'createdAt,asc', ...filter })).items.map(({ id }) => id);

describe('what started a job', () => {
  it('is told with the job, and stays with it', async () => {
    const event = await rig.submit(flow);
    const batch = await rig.submit(flow, [{}], { kind: 'batch' });
    const due = await rig.submit(flow, [{}], { kind: 'batch', startedBy: schedule });
    const hook = await rig.submit(flow, [{}], { startedBy: webhook });
    const { jobId: again } = await rig.jobs.rerun({
      ...submission(flow, [{}], { kind: 'batch' }),
      lineage: { rerunOf: due, rerunNode: null, parentTaskId: null, parentJobId: null, depth: 0 },
    });
    expect((await rig.jobs.get(event)).trigger).toEqual({ kind: 'event' });
    expect((await rig.jobs.get(batch)).trigger).toEqual({ kind: 'api' });
    expect((await rig.jobs.get(due)).trigger).toEqual({
      kind: 'schedule',
      id: 'daily',
      dueAt: '2027-01-01T06:00:00.000Z',
    });
    expect((await rig.jobs.get(hook)).trigger).toEqual({ kind: 'webhook', id: 'push' });
    expect((await rig.jobs.get(again)).trigger).toEqual({ kind: 'rerun', id: due });
    await rig.jobs.kill(due, 'somebody');
    expect((await rig.jobs.get(due)).trigger.id).toBe('daily');
  });

  it('filters the list of jobs', async () => {
    const event = await rig.submit(flow);
    const due = await rig.submit(flow, [{}], { kind: 'batch', startedBy: schedule });
    const other = await rig.submit(flow, [{}], { kind: 'batch', startedBy: { ...schedule, id: 'hourly' } });
    const hook = await rig.submit(flow, [{}], { startedBy: webhook });
    expect(await ids({ trigger: ['event'] })).toEqual([event]);
    expect(await ids({ trigger: ['api'] })).toEqual([]);
    expect(await ids({ trigger: ['schedule'] })).toEqual([due, other]);
    expect(await ids({ trigger: ['event', 'webhook'] })).toEqual([event, hook]);
    expect(await ids({ triggerId: 'hourly' })).toEqual([other]);
    expect(await ids({ trigger: ['webhook'], triggerId: 'hourly' })).toEqual([]);
  });
});
