import { expect, it } from 'vitest';
import { watchRefusedSenders } from './refused-senders.ts';

it('counts what was refused since a time, whatever was before', () => {
  let now = 1_000_000;
  const stats = { crowded: 7, unauthorized: 0, foreign: 0, forged: 0 };
  const refused = watchRefusedSenders(
    () => ({ ...stats }),
    () => now,
  );
  const inMinutes = (minutes: number) =>
    Object.fromEntries(refused(now - minutes * 60_000).map(({ reason, count }) => [reason, count]));
  expect(inMinutes(5)).toEqual({ limit: 0, token: 0, http: 0, forged: 0 });
  for (let minute = 0; minute < 20; minute++) {
    now += 60_000;
    stats.crowded += 1;
    stats.unauthorized += 10;
    if (minute === 18) stats.forged = 3;
    inMinutes(5);
  }
  expect(inMinutes(5)).toEqual({ limit: 5, token: 50, http: 0, forged: 3 });
  expect(inMinutes(1)).toEqual({ limit: 1, token: 10, http: 0, forged: 0 });
  now += 300_000;
  expect(inMinutes(5)).toEqual({ limit: 0, token: 0, http: 0, forged: 0 });
});
