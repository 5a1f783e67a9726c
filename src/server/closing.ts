/** What was opened, to be closed in reverse; also where opening fails half way. */
export interface Closing {
  later(close: () => unknown): void;
  /** Runs all of it once; a failing step is reported and the others still run. */
  now(): Promise<void>;
}

export function closing(onError: (error: unknown) => void): Closing {
  const steps: (() => unknown)[] = [];
  let done: Promise<void> | null = null;
  async function run() {
    for (let step = steps.pop(); step; step = steps.pop()) {
      try {
        await step();
      } catch (error) {
        onError(error);
      }
    }
  }
  return { later: (close) => void steps.push(close), now: () => (done ??= run()) };
}
