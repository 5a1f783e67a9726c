/**
 * The file of a worker thread. In the build it is an entry of its own beside the process's entry; run from source,
 * it is the source itself, which Node reads as it is. Tests have what their run built (scripts/lib/built-threads.ts).
 *
 * @param here the caller's `import.meta.url`
 * @param source the thread's file relative to the caller, such as `./thread.ts`
 * @param built its name in the build, such as `log-thread.js`
 */
export function threadFile(here: string, source: string, built: string): URL {
  if (here.endsWith('.ts')) return new URL(source, here);
  return new URL(here.includes('/chunks/') ? `../${built}` : `./${built}`, here);
}
