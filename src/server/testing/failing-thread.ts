import type * as ThreadCalls from '../../lib/thread-calls.ts';

let fail = async (): Promise<void> => {};
/** Ends the thread that was started last, as if it had ended by itself. */
export const failThread = (): Promise<void> => fail();

/** In the place of `lib/thread-calls`: threads that `failThread` ends. */
export async function failingThreads(original: () => Promise<typeof ThreadCalls>): Promise<typeof ThreadCalls> {
  const real = await original();
  return {
    ...real,
    startThread(...args) {
      const calls = real.startThread(...args);
      fail = async () => {
        await calls.end();
        args[3]('told to');
      };
      return calls;
    },
  };
}
