/** What was opened, to be closed in reverse; also where opening fails half way. */
export interface CloseStack {
  /** `ms`: how long this step may take at most; the others are given the usual time. */
  add(close: () => unknown, ms?: number): void;
  /** Runs all of it once; a step that fails, or does not end in its time, is reported, and the others still run. */
  closeAll(): Promise<void>;
}

/** Longer takes no part that is well: the pipeline gives its store some seconds, a thread with much to write about one. */
const STEP_MS = 15_000;

export function createCloseStack(onError: (error: unknown) => void, stepMs = STEP_MS): CloseStack {
  const steps: { close: () => unknown; ms: number }[] = [];
  let done: Promise<void> | null = null;
  async function run() {
    for (let step = steps.pop(); step; step = steps.pop()) {
      const { close, ms } = step;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>(
        (_, reject) =>
          (timer = setTimeout(
            () => reject(new Error(`a part did not close within ${ms / 1000} s and is left behind`)),
            ms,
          )),
      );
      try {
        await Promise.race([(async () => close())(), late]);
      } catch (error) {
        onError(error);
      } finally {
        clearTimeout(timer);
      }
    }
  }
  return { add: (close, ms = stepMs) => void steps.push({ close, ms }), closeAll: () => (done ??= run()) };
}
