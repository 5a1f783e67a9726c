/** A wrapper that hands on what its process group has received already does so within this time: it counts once. */
const SAME_SIGNAL_MS = 2000;

/**
 * Calls `stop` at the first of these signals. The next one ends the process at once, for somebody who does not want to
 * wait; the same signal again within two seconds does not: systemd, `tini -g` and npm hand one on twice. Returns what takes
 * the listeners away.
 */
export function onStopSignal(names: readonly NodeJS.Signals[], stop: () => void): () => void {
  let first: { readonly name: NodeJS.Signals; readonly at: number } | null = null;
  const hear = (name: NodeJS.Signals): void => {
    if (first === null) {
      first = { name, at: performance.now() };
      return stop();
    }
    if (name === first.name && performance.now() - first.at < SAME_SIGNAL_MS) return;
    process.exit(130);
  };
  for (const name of names) process.on(name, hear);
  return () => {
    for (const name of names) process.off(name, hear);
  };
}
