import { writeFileSync } from 'node:fs';

// Loaded into a master (`node --import`): on SIGUSR2 it writes the longest time that the event loop was held since the
// last time it was asked, by the clock and by the processor time of the main thread. The latter does not count what other
// processes took of the machine.
const file = process.env['YARDMASTER_BENCH_LOOP'];
if (file !== undefined && process.argv.includes('master')) {
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let longest = { wallMs: 0, cpuMs: 0 };
  let wall = performance.now();
  let cpu = cpuMs();
  setInterval(() => {
    const [nextWall, nextCpu] = [performance.now(), cpuMs()];
    longest = { wallMs: Math.max(longest.wallMs, nextWall - wall), cpuMs: Math.max(longest.cpuMs, nextCpu - cpu) };
    [wall, cpu] = [nextWall, nextCpu];
  }, 1).unref();
  process.on('SIGUSR2', () => {
    writeFileSync(file, JSON.stringify(longest));
    longest = { wallMs: 0, cpuMs: 0 };
  });
}
