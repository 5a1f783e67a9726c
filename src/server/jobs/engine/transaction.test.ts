import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../../../lib/fault.ts';
import type { AuditItem, AuditNote } from '../../access/port.ts';
import { openRig, submission, workflow, type Rig } from '../../testing/engine.fixture.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.close());

const flow = () => workflow({ a: {} }, ['input>a', 'a>output']);
/** An audit log that cannot be written to. */
const refuses: AuditNote = () => {
  throw new Fault('STORE_UNAVAILABLE', 'the audit log is full');
};
const listed = async () => (await rig.jobs.list({ page: 0, size: 10, sort: 'createdAt,desc' })).items;

describe('a change and its entry in the audit log are one transaction', () => {
  it('a job is not made without it', async () => {
    await expect(rig.jobs.submit({ ...submission(flow(), [{}]), audit: refuses })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    });
    expect(await listed()).toEqual([]);
  });

  it('nothing is killed or retried without it', async () => {
    const jobId = await rig.submit(flow());
    await expect(rig.jobs.kill(jobId, 'ann', refuses)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(await rig.jobs.get(jobId)).toMatchObject({ status: 'RUNNING', killedAt: null });
    await rig.jobs.kill(jobId, 'ann');
    await expect(rig.jobs.retry(jobId, refuses)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect((await rig.jobs.get(jobId)).status).toBe('FAILED');
  });

  it('no operation is accepted or aborted without it', async () => {
    await expect(
      rig.jobs.operations.submit({ kind: 'kill', target: { ids: ['x'] }, nonRetryable: false }, 'ann', refuses),
    ).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect((await rig.jobs.operations.list({ page: 0, size: 1 })).totalItems).toBe(0);
  });

  it('a worker is not drained without it', async () => {
    const { id } = await rig.worker();
    await expect(rig.workers.drain(id, refuses)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect((await rig.workers.get(id)).drained).toBe(false);
    const noted: AuditItem[] = [];
    await rig.workers.drain(id, (_db, item) => void noted.push(item));
    // Draining it again changes nothing.
    await rig.workers.drain(id, (_db, item) => void noted.push(item));
    await rig.workers.resume(id, (_db, item) => void noted.push(item));
    expect(noted).toEqual([
      { action: 'worker.drain', target: `worker:${id}`, before: { drained: false }, after: { drained: true } },
      { action: 'worker.resume', target: `worker:${id}`, before: { drained: true }, after: { drained: false } },
    ]);
  });
});
