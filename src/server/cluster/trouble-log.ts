const SAME_TROUBLE_MS = 30_000;

/** What went wrong with the database, one line each; the same again only after a while. */
export function troubleLog(log: (line: string) => void): (message: string) => void {
  let last = '';
  let at = -SAME_TROUBLE_MS;
  return (message) => {
    const now = performance.now();
    if (message === last && now - at < SAME_TROUBLE_MS) return;
    last = message;
    at = now;
    log(`PostgreSQL: ${message}; trying again`);
  };
}
