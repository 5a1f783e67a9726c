import type { Worker } from '../../../contract/api.ts';

/** Workers that do not answer as they should, the worst first. */
export const silentOf = (workers: readonly Worker[]): Worker[] =>
  workers.filter((worker) => worker.state === 'Down' || worker.state === 'Unstable').sort((a, b) => a.state.localeCompare(b.state) || (b.lastHeartbeatAt ?? '').localeCompare(a.lastHeartbeatAt ?? ''));

/** `2 workers are down, 1 is unstable`; null where all answer. */
export function silentWords(down: number, unstable: number): string | null {
  const parts = [
    ...(down > 0 ? [`${down} ${down === 1 ? 'worker is' : 'workers are'} down`] : []),
    ...(unstable > 0 ? [`${unstable} ${down > 0 ? (unstable === 1 ? 'is' : 'are') : unstable === 1 ? 'worker is' : 'workers are'} unstable`] : []),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}
