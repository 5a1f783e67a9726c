import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BACKOFF } from '../../lib/backoff.ts';
import { IDLE, nextTunnel, tunnelStatus, type TunnelEvent, type TunnelState } from './tunnel-state.ts';

const event: fc.Arbitrary<TunnelEvent> = fc.oneof(
  fc.constantFrom('ask', 'steady', 'due', 'retry').map((kind) => ({ kind })),
  fc.constant({ kind: 'opened' as const, through: 'pod' }),
  fc.constant({ kind: 'lost' as const, message: 'lost' }),
  fc.boolean().map((lasting) => ({ kind: 'failed' as const, message: 'failed', lasting })),
);
const after = (events: readonly TunnelEvent[], from: TunnelState = IDLE) =>
  events.reduce((state, one) => nextTunnel(state, one).state, from);

test('whatever happens, it connects only where it says so, and waits only before it tries again', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      let state: TunnelState = IDLE;
      for (const one of events) {
        const { state: now, effect } = nextTunnel(state, one);
        expect(effect?.kind === 'connect').toBe(now.name === 'connecting' && now !== state);
        expect(effect?.kind === 'wait').toBe(now.name === 'waiting' && now !== state);
        if (effect?.kind === 'wait') {
          expect(effect.ms).toBeGreaterThanOrEqual(BACKOFF.tunnel.firstMs);
          expect(effect.ms).toBeLessThanOrEqual(BACKOFF.tunnel.mostMs);
        }
        // Whoever does not get through reads why.
        const { message } = tunnelStatus(now);
        if (now.name === 'waiting' || now.name === 'failed') expect(message).not.toBeNull();
        state = now;
      }
    }),
  );
});

test('without somebody who asks for it again, one that opens and breaks at once waits ever longer', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 30 }), (times) => {
      let state = after([{ kind: 'ask' }]);
      const waits: number[] = [];
      for (let i = 0; i < times; i++) {
        state = after([{ kind: 'opened', through: 'pod' }], state);
        const { state: lost, effect } = nextTunnel(state, { kind: 'lost', message: 'lost' });
        if (effect?.kind === 'wait') waits.push(effect.ms);
        state = lost.name === 'waiting' ? after([{ kind: 'due' }], lost) : lost;
      }
      // Only the first loss is tried again at once.
      expect(waits).toHaveLength(times - 1);
      expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    }),
  );
});

test('once it was open for a while, a loss is tried again at once', () => {
  const open = after([{ kind: 'ask' }, { kind: 'failed', message: 'x', lasting: false }, { kind: 'due' }]);
  const steady = after([{ kind: 'opened', through: 'pod' }, { kind: 'steady' }], open);
  expect(nextTunnel(steady, { kind: 'lost', message: 'gone' })).toMatchObject({
    state: { name: 'connecting', message: 'gone' },
    effect: { kind: 'connect' },
  });
});

test('what only somebody can mend is not tried again by itself, but as soon as they ask', () => {
  const failed = after([{ kind: 'ask' }, { kind: 'failed', message: 'expired', lasting: true }]);
  for (const kind of ['ask', 'due', 'steady'] as const) expect(nextTunnel(failed, { kind }).state).toBe(failed);
  expect(nextTunnel(failed, { kind: 'retry' }).effect).toEqual({ kind: 'connect' });
});

test('closed is the end of it', () => {
  const closed = after([{ kind: 'ask' }, { kind: 'close' }]);
  fc.assert(
    fc.property(event, (one) => {
      expect(nextTunnel(closed, one)).toEqual({ state: closed, effect: null });
    }),
  );
});
