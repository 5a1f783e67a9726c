import { readdirSync, readFileSync } from 'node:fs';

/** Memory of a process, MB: the most that it had so far. */
export function peakMemoryMb(pid: number): number {
  const [, kilobytes = '0'] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round((Number(kilobytes) * 1024) / 1e6);
}

/** Processor time of a process and its threads so far. */
export function cpuMs(pid: number): number {
  const fields = fieldsOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Processor time so far of processes and all that came from them, also those of them that have ended. */
export function cpuMsWithChildren(pids: readonly number[]): number {
  const ticks = [...familyOf(pids).values()].flatMap((fields) => fields.slice(11, 15));
  return ticks.reduce((sum, each) => sum + Number(each), 0) * 10;
}

/** Memory of processes and their children now, MB: what several share counts once. */
export function memoryMbWithChildren(pids: readonly number[]): number {
  const kilobytes = [...familyOf(pids).keys()].map((pid) => {
    try {
      return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
    } catch {
      return 0; // It has ended meanwhile.
    }
  });
  return Math.round((kilobytes.reduce((sum, each) => sum + each, 0) * 1024) / 1e6);
}

/** These processes and all below them, with their fields of /proc/PID/stat. */
function familyOf(pids: readonly number[]): Map<number, string[]> {
  const all = new Map<number, string[]>();
  for (const name of readdirSync('/proc'))
    if (/^\d+$/.test(name))
      try {
        all.set(Number(name), fieldsOf(Number(name)));
      } catch {
        // It has ended meanwhile.
      }
  const family = new Set(pids);
  for (let before = -1; before !== family.size;) {
    before = family.size;
    for (const [pid, [, parent]] of all) if (family.has(Number(parent))) family.add(pid);
  }
  return new Map([...all].filter(([pid]) => family.has(pid)));
}

/** What follows the name in /proc/PID/stat: state, parent, … */
const fieldsOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
