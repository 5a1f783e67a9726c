import { expect, it } from 'vitest';
import { countdown, queuePositionText, withoutDeadline } from './labels.ts';

it('counts down to a moment and stops there', () => {
  const now = Date.parse('2026-01-01T00:00:00.000Z');
  expect(countdown('2026-01-01T00:00:09.400Z', now)).toBe('10 s');
  expect(countdown('2026-01-01T00:04:10.000Z', now)).toBe('4 min 10 s');
  expect(countdown('2026-01-01T02:30:00.000Z', now)).toBe('2 h 30 min');
  expect(countdown('2026-01-01T00:00:00.000Z', now)).toBeNull();
});
it('calls the head of the queue next', () => {
  expect(queuePositionText({ position: 1, total: 7 })).toBe('Next of 7');
  expect(queuePositionText({ position: 4, total: 7 })).toBe('4 of 7');
});
it('does not say a deadline that is counted down beside it', () => {
  expect(withoutDeadline('No worker is online (SCHEDULE_TIMEOUT in 300 s). Start one.')).toBe(
    'No worker is online. Start one.',
  );
  expect(
    withoutDeadline(
      'The task is waiting for its back-off: attempt 1 of 4 failed with WORKER_LOST. The next attempt starts at 2026-11-29T14:34:27.122Z.',
    ),
  ).toBe('The task is waiting for its back-off: attempt 1 of 4 failed with WORKER_LOST.');
  expect(withoutDeadline('The task is waiting in the queue.')).toBe('The task is waiting in the queue.');
});
