import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openRig, type Rig } from '../testing/engine.fixture.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.close());

it('a worker that claims thousands of leases that it has not is told so in frames of a thousand', async () => {
  const running = Array.from({ length: 2500 }, () => ({ id: randomUUID(), attempt: 1 }));
  const worker = await rig.worker({ running });
  const lost = () => worker.frames.flatMap((frame) => (frame.t === 'lost' ? [frame.ids] : []));
  await expect.poll(() => lost().flat().length).toBe(2500);
  expect(lost().map(({ length }) => length)).toEqual([1000, 1000, 500]);
  expect(new Set(lost().flat())).toEqual(new Set(running.map(({ id }) => id)));
});
