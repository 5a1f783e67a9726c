import { expect, it } from 'vitest';
import type { OwnershipState } from './journal/port.ts';
import { reasonToTakeOver } from './standby.ts';

const healthy: OwnershipState = {
  epoch: 3,
  owner: 'a',
  ownerUrl: 'http://a',
  expired: false,
  renewedAt: '2001-05-05 12:00:00+00',
  gone: false,
  handoverTo: null,
  last: 10,
};
const reason = (over: Partial<OwnershipState>, quietForMs = 200, goneForMs = 0, me = 'b') =>
  reasonToTakeOver({ ...healthy, ...over }, me, { goneForMs, quietForMs });

it('leaves a state alone whose owner renews', () => {
  expect(reason({})).toBeNull();
  // A connection that broke is made anew at once; only one that stays away is a sign.
  expect(reason({ gone: true }, 300, 200)).toBeNull();
  expect(reason({ gone: true }, 4000, 200)).toBeNull();
  expect(reason({ gone: true }, 700, 700)).toBeNull();
});

it('takes it over where nobody owns it, the lease ran out, or the owner is gone', () => {
  expect(reason({ owner: null, ownerUrl: null })).toBe('start');
  expect(reason({ expired: true }, 5100)).toBe('lease expired');
  expect(reason({ gone: true }, 800, 450)).toBe('owner gone');
  expect(reason({}, 0, 0, 'a')).toBe('restart');
});

it('believes what it has seen rather than a database whose clock was set', () => {
  // Forwards: the owner may still speak from memory.
  expect(reason({ expired: true }, 700)).toBeNull();
  // Backwards: the lease would end much too late.
  expect(reason({ expired: false }, 5000)).toBe('lease expired');
});

it('leaves a state that was offered to whom it was offered, for a while', () => {
  expect(reason({ handoverTo: 'b' })).toBe('handover');
  expect(reason({ handoverTo: 'c', gone: true }, 1500, 700)).toBeNull();
  expect(reason({ handoverTo: 'c' }, 200, 0, 'a')).toBeNull();
  expect(reason({ handoverTo: 'c' }, 3500, 0, 'a')).toBe('restart');
  expect(reason({ handoverTo: 'c', expired: true }, 6000)).toBe('lease expired');
});
