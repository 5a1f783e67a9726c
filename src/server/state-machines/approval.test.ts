import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSamePerson, nextApproval, type ApprovalEvent, type ApprovalFacts, type Principal } from './approval.ts';

const ann: Principal = { id: 'user:ann', name: 'Ann', madeBy: null };
const bob: Principal = { id: 'user:bob', name: 'Bob', madeBy: null };
const ci: Principal = { id: 'token:1', name: 'ci', madeBy: 'Ann' };
const other: Principal = { id: 'token:2', name: 'deploy', madeBy: 'local' };
const local: Principal = { id: 'local', name: 'local', madeBy: null };
const people = [ann, bob, ci, other, local];

const person = fc.constantFrom(...people);
const event: fc.Arbitrary<ApprovalEvent> = fc.oneof(
  fc.record({ on: fc.constant('approve' as const), by: person, alone: fc.boolean() }),
  fc.record({ on: fc.constantFrom('reject' as const, 'withdraw' as const), by: person }),
  fc.constant({ on: 'expire' as const }),
);

describe('one person', () => {
  it.each([
    ['the same person', ann, { ...ann, name: 'Ann of the desk' }, true],
    ['somebody else', ann, bob, false],
    ['a token that they made', ann, ci, true],
    ['who made the token of somebody else', ci, ann, false],
    ['another token of the same name', ci, { ...ci, id: 'token:9', madeBy: null }, true],
    ['a person named like a token', ci, { id: 'user:ci', name: 'ci', madeBy: null }, false],
    ['whoever sits at the machine', local, { ...local, name: 'code' }, true],
  ])('%s', (_, requester, decider, same) => expect(isSamePerson(requester, decider)).toBe(same));
});

it('whatever happens in whatever order, a request ends at most once, and never by the requester alone', () => {
  fc.assert(
    fc.property(person, fc.array(fc.record({ event, later: fc.nat(50) }), { maxLength: 30 }), (requester, steps) => {
      const facts: ApprovalFacts = { status: 'open', requester, expiresAt: 300 };
      let current: ApprovalFacts = facts;
      let now = 0;
      let ends = 0;
      for (const step of steps) {
        now += step.later;
        const next = nextApproval(current, step.event, now);
        if ('refusal' in next) continue;
        ends++;
        expect(current.status).toBe('open');
        if (next.status === 'expired') expect(now).toBeGreaterThanOrEqual(facts.expiresAt);
        else expect(now).toBeLessThan(facts.expiresAt);
        if (step.event.on === 'approve' && !step.event.alone)
          expect(isSamePerson(requester, step.event.by)).toBe(false);
        if (step.event.on === 'reject') expect(isSamePerson(requester, step.event.by)).toBe(false);
        if (step.event.on === 'withdraw') expect(isSamePerson(requester, step.event.by)).toBe(true);
        current = { ...current, status: next.status };
      }
      expect(ends).toBeLessThanOrEqual(1);
    }),
  );
});
