interface Closable {
  close(): unknown;
}

/** What was opened, to be closed in reverse; also where opening fails half way. */
export interface CloseStack {
  /** `ms`: how long this step may take at most; the others are given the usual time. */
  add(close: () => unknown, ms?: number): void;
  /** Hands on a part that is to be closed. */
  keep<Part extends Closable>(part: Part): Part;
  /** Two parts that open side by side: where one fails, the other is closed too. */
  keepBoth<A extends Closable, B extends Closable>(a: Promise<A>, b: Promise<B>): Promise<[A, B]>;
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
            () => reject(new Error(`a component did not close within ${ms / 1000} s; shutting down without it`)),
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
  const add: CloseStack['add'] = (close, ms = stepMs) => void steps.push({ close, ms });
  const keep: CloseStack['keep'] = (part) => {
    add(() => part.close());
    return part;
  };
  return {
    add,
    keep,
    async keepBoth(a, b) {
      for (const result of await Promise.allSettled([a, b])) if (result.status === 'fulfilled') keep(result.value);
      return Promise.all([a, b]);
    },
    closeAll: () => (done ??= run()),
  };
}
