/** Draws at most this share of the time: where one drawing takes long (a flood of lines), the next one waits. */
const REST = 2;

/** Before the next frame, or later while drawings are dear. In a hidden window, which draws none, a timer stands in. */
export function createFrameThrottle(): (run: () => void) => void {
  let rested = 0;
  const draw = (run: () => void) => {
    const start = performance.now();
    run();
    setTimeout(() => {
      const end = performance.now();
      rested = end + (end - start) * REST;
    });
  };
  return (run) => {
    const wait = rested - performance.now();
    if (document.hidden) setTimeout(() => draw(run), Math.max(200, wait));
    else if (wait > 8) setTimeout(() => requestAnimationFrame(() => draw(run)), wait);
    else requestAnimationFrame(() => draw(run));
  };
}
