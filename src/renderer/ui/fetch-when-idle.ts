/**
 * Fetches code that the view does not need yet, once it is drawn: what is done next waits for no file. A browser that is told to
 * save data fetches it where it is needed.
 */
export function fetchWhenIdle(load: () => Promise<unknown>): void {
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true) return;
  // What needs it tells of a failure.
  requestIdleCallback(() => void load().catch(() => undefined), { timeout: 5000 });
}
