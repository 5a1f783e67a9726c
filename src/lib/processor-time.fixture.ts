/** What `run` takes of this thread's processor, in milliseconds: other processes of the machine do not count. */
export function processorMs(run: () => unknown): number {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
