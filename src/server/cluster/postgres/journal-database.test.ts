import { afterEach, beforeEach, expect, it } from 'vitest';
import { startJournal, type JournalRig } from '../testing.fixture.ts';

let rig: JournalRig;
beforeEach(async () => {
  rig = await startJournal();
});
afterEach(() => rig.close());

it('lets nobody take over from an owner that has renewed since it was looked at', async () => {
  const [owner, standby] = [rig.connect(), rig.connect()];
  const epoch = await owner.takeOver('a', 'http://a', await owner.look(), 'start');
  const seen = await standby.look();
  expect(await owner.renew('a', epoch!)).toBe(true);
  expect(await standby.takeOver('b', 'http://b', seen, 'lease expired')).toBeNull();
  expect(await standby.takeOver('b', 'http://b', await standby.look(), 'lease expired')).toBe(epoch! + 1);
  expect(await owner.renew('a', epoch!)).toBe(false);
});
