/** The most of this thread's processor that one turn of the event loop takes while `run` goes on, in milliseconds: other processes of the machine do not count. */
export async function longestTurnMs(run: () => Promise<unknown>): Promise<number> {
  let most = 0;
  let last = process.threadCpuUsage();
  let going = true;
  const look = () => {
    const now = process.threadCpuUsage();
    most = Math.max(most, (now.user + now.system - last.user - last.system) / 1000);
    last = now;
    if (going) setImmediate(look);
  };
  setImmediate(look);
  await run();
  going = false;
  await new Promise(setImmediate);
  return most;
}
