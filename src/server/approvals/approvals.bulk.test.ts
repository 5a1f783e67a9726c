import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '../../contract/limits.ts';
import { OTHER_SETTINGS, type OtherSettings } from '../../contract/settings.ts';
import type { AuditItem } from '../access/port.ts';
import { openRig, workflow, type Rig } from '../testing/engine.fixture.ts';
import { createApprovals } from './approvals.ts';
import type { Approvals, Person } from './port.ts';

const person = (name: string): Person => ({
  principal: { id: `user:${name}`, name, madeBy: null },
  actor: { name, role: 'operator', address: null },
});
const [ann, bob, eve] = [person('ann'), person('bob'), person('eve')];
const yes = { decision: 'approve', comment: null, override: false } as const;

let rig: Rig;
let approvals: Approvals;
let settings: OtherSettings;
let audited: AuditItem[];

const flow = () => workflow({ a: {} }, ['input>a', 'a>output'], { workflowId: 'flow' });
const kill = { kind: 'kill', target: { filter: { workflowId: 'flow' } }, nonRetryable: false } as const;

function approvalsOf(of: Rig): Approvals {
  return createApprovals({
    store: of.store,
    clock: of.clock,
    limits: { ...LIMITS, approvalsOpen: 2 },
    settings,
    overrides: {} as never,
    access: { doubtAbout: () => null },
    feed: { publish: (kind, id) => void of.changes.push({ kind, id }) },
    audit: { record: (_db, _actor, item) => void audited.push(item) },
    workflows: {} as never,
    operations: of.jobs.operations,
    onError: (error) => void of.errors.push(error),
  });
}
async function asked(by = ann): Promise<string> {
  const found = await approvals.requestBulk(kill, by);
  if (!('approval' in found)) throw new Error('it needs no approval');
  return found.approval.id;
}
const statuses = async (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await rig.jobs.get(id)).status));
const submitted = (count: number) => Promise.all(Array.from({ length: count }, () => rig.submit(flow())));

beforeEach(async () => {
  rig = await openRig();
  settings = { ...OTHER_SETTINGS, bulkApprovalOver: 2 };
  audited = [];
  approvals = approvalsOf(rig);
});
afterEach(async () => {
  await approvals.close();
  await rig.close();
});

describe('a bulk operation over more jobs than may be touched alone', () => {
  it('waits for another person, and then touches the jobs that it was asked for, and no others', async () => {
    const ids = await submitted(3);
    const id = await asked();
    expect(approvals.get(id)).toMatchObject({
      status: 'open',
      bulk: { action: 'kill', total: 3, filter: { workflowId: 'flow' } },
    });
    expect(new Set(approvals.jobs(id, { page: 0, size: 10 }).items.map(({ jobId }) => jobId))).toEqual(new Set(ids));
    expect(approvals.jobs(id, { page: 1, size: 2 })).toMatchObject({ items: [{}], totalItems: 3 });
    const [later = ''] = await submitted(1);
    await expect(approvals.decide(id, yes, ann)).rejects.toMatchObject({ code: 'SECOND_PERSON_NEEDED' });
    const { operation, status } = await approvals.decide(id, yes, bob);
    expect(status).toBe('approved');
    await expect.poll(async () => (await rig.jobs.operations.get(operation ?? '')).status).toBe('DONE');
    expect(await rig.jobs.operations.get(operation ?? '')).toMatchObject({ total: 3, done: 3, createdBy: 'ann' });
    expect(await statuses(ids)).toEqual(['FAILED', 'FAILED', 'FAILED']);
    expect(await statuses([later])).toEqual(['RUNNING']);
    expect(audited.map(({ action }) => action)).toEqual(['approval.request', 'approval.approve', 'job.bulk-kill']);
    expect(rig.changes.filter(({ kind }) => kind === 'approval')).toHaveLength(2);
  });

  it('keeps its jobs for as long as it is open, longer than any dry run', async () => {
    await submitted(3);
    const id = await asked();
    rig.clock.advance(3600_000);
    expect(approvals.jobs(id, { page: 0, size: 10 }).items).toHaveLength(3);
    expect(await approvals.decide(id, yes, bob)).toMatchObject({ status: 'approved' });
  });

  it('is begun once, however many approve it at once', async () => {
    await submitted(3);
    const id = await asked();
    const answers = await Promise.allSettled([approvals.decide(id, yes, bob), approvals.decide(id, yes, eve)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'ALREADY_DECIDED' } });
    expect((await rig.jobs.operations.list({ page: 0, size: 10 })).totalItems).toBe(1);
  });

  it('survives a restart of the master', async () => {
    const ids = await submitted(3);
    const id = await asked();
    const file = rig.crash();
    await approvals.close();
    await rig.close();
    rig = await openRig({ file });
    approvals = approvalsOf(rig);
    expect(approvals.get(id)).toMatchObject({ status: 'open', requestedBy: 'ann' });
    await expect(approvals.decide(id, yes, ann)).rejects.toMatchObject({ code: 'SECOND_PERSON_NEEDED' });
    const { operation } = await approvals.decide(id, yes, bob);
    await expect.poll(async () => (await rig.jobs.operations.get(operation ?? '')).status).toBe('DONE');
    expect(new Set(await statuses(ids))).toEqual(new Set(['FAILED']));
  });

  it('that is rejected or expired touches nothing', async () => {
    const ids = await submitted(3);
    const id = await asked();
    expect(await approvals.decide(id, { ...yes, decision: 'reject' }, bob)).toMatchObject({ status: 'rejected' });
    const other = await asked();
    rig.clock.advance(LIMITS.approvalSeconds * 1000);
    await expect(approvals.decide(other, yes, bob)).rejects.toMatchObject({ code: 'APPROVAL_EXPIRED' });
    expect(new Set(await statuses(ids))).toEqual(new Set(['RUNNING']));
  });

  it('may be open a limited number of times', async () => {
    await submitted(3);
    await asked();
    await asked();
    await expect(asked()).rejects.toMatchObject({ code: 'TOO_MANY_APPROVALS' });
  });
});

it('fewer jobs, or any number where the setting is off, need no approval', async () => {
  await submitted(2);
  expect(await approvals.requestBulk(kill, ann)).toMatchObject({ request: { kind: 'kill', target: {} } });
  settings.bulkApprovalOver = null;
  expect(await approvals.requestBulk(kill, ann)).toEqual({ request: kill });
});
