import { monitorEventLoopDelay } from 'node:perf_hooks';
import { every } from '../../lib/clock.ts';

/** How often the loop is sampled. The histogram records whole intervals, so this is taken off again. */
const RESOLUTION_MS = 10;
const WINDOW_MS = 10_000;

/** Watches how late the event loop is, in windows. `close` ends it. */
export function watchLoopDelay(onError: (error: unknown) => void) {
  let current = watchLoop();
  let previous: Loop | null = null;
  const stopWindow = every(
    WINDOW_MS,
    () => {
      previous?.disable();
      previous = current;
      current = watchLoop();
    },
    onError,
  );
  /** Of this window and the one before, whichever is worse, in seconds. */
  const worse = (of: (loop: Loop) => number) =>
    Math.max(
      ...[current, previous].map((loop) => (loop && loop.count > 0 ? of(loop) / 1e9 - RESOLUTION_MS / 1000 : 0)),
      0,
    );
  const delay = (quantile: number) => worse((loop) => loop.percentile(quantile * 100));
  const longest = () => worse((loop) => loop.max);

  return {
    delay,
    longest,
    async close() {
      await stopWindow();
      current.disable();
      previous?.disable();
    },
  };
}

type Loop = ReturnType<typeof monitorEventLoopDelay>;

function watchLoop(): Loop {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  return histogram;
}
