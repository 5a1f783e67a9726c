import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRig, workflow, type Rig } from '../testing/engine.fixture.ts';
import { heldDisk, type HeldDisk } from '../testing/held-disk.fixture.ts';
import { done } from '../testing/worker.fake.ts';

/** With durability `full`, over a disk that does not keep yet what was committed. */
let disk: HeldDisk;
let rig: Rig;
beforeEach(async () => {
  disk = heldDisk();
  rig = await openRig({ disk });
});
afterEach(() => {
  disk.release();
  return rig.close();
});

const code = () => workflow({ a: { type: 'code', config: { source: 'return 1' } } }, ['input>a', 'a>output']);
const call = () =>
  workflow({ a: { type: 'http', config: { method: 'POST', url: 'http://example.org/' } } }, ['input>a', 'a>output']);

describe('a report of a worker', () => {
  it('is acknowledged when it is on the disk, and the link is seen to live before that', async () => {
    const worker = await rig.worker();
    void rig.submit(code());
    const lease = await worker.lease();
    disk.hold();
    worker.report(done(lease, 1));
    let acknowledged = false;
    const receipt = worker.receipt('r1').then(() => (acknowledged = true));
    await worker.receipt('');
    await expect.poll(() => disk.waiting).toBeGreaterThan(0);
    await worker.receipt('');
    expect(acknowledged).toBe(false);
    disk.release();
    await receipt;
  });

  it('of a link without any report is acknowledged at once', async () => {
    const worker = await rig.worker();
    disk.hold();
    await worker.receipt('r1');
  });
});

describe('a lease', () => {
  it('of a task that acts on other systems is given when it is on the disk, others at once', async () => {
    const worker = await rig.worker();
    disk.hold();
    void rig.submit(call());
    await expect.poll(() => disk.waiting).toBe(1);
    void rig.submit(code());
    expect((await worker.lease()).node).toBe('a');
    expect(worker.untaken).toBe(0);
    disk.release();
    expect((await worker.lease()).chain).toEqual([]);
  });

  it('is not given any more where its job was killed meanwhile', async () => {
    const worker = await rig.worker({ capacity: 1 });
    disk.hold();
    const submitted = rig.submit(call());
    await expect.poll(() => disk.waiting).toBe(1);
    const [{ id } = { id: '' }] = (await rig.jobs.list({ page: 0, size: 1, sort: '' })).items;
    const killed = rig.jobs.kill(id, 'stop');
    await expect.poll(() => disk.waiting).toBe(2);
    disk.release();
    await Promise.all([submitted, killed]);
    void rig.submit(code());
    expect((await worker.lease()).jobId).not.toBe(id);
  });

  it('of a queued task that acts on other systems is in the database before the worker has it', async () => {
    await rig.submit(call());
    const worker = await rig.worker();
    await worker.lease();
    const after = await openRig({ file: rig.crash() });
    const [task] = (await after.jobs.list({ page: 0, size: 1, sort: '' })).items;
    expect((await after.tasks(task?.id ?? ''))[0]).toMatchObject({ state: 'SCHEDULED', workerId: worker.id });
    await after.close();
  });
});
