import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTurns } from './turns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('turns of queries', () => {
  it('leaves the others in line when one that waited too long hangs up', async () => {
    const turn = createTurns(() => 1);
    const first = await turn(new AbortController().signal);
    const impatient = new AbortController();
    const refused = expect(turn(impatient.signal)).rejects.toThrow('try again later');
    await vi.advanceTimersByTimeAsync(10_000);
    await refused;
    const next = turn(new AbortController().signal);
    impatient.abort();
    first();
    expect(await next).toBeTypeOf('function');
  });
});
