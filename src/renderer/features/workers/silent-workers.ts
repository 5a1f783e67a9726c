import { tn } from '../../../lib/language.ts';
import type { Worker } from '../../../contract/workers.ts';

/** Workers that do not answer as they should, the worst first. */
export const silentWorkers = (workers: readonly Worker[]): Worker[] =>
  workers
    .filter((worker) => worker.state === 'Down' || worker.state === 'Unstable')
    .sort((a, b) => a.state.localeCompare(b.state) || (b.lastHeartbeatAt ?? '').localeCompare(a.lastHeartbeatAt ?? ''));

/** `2 workers are down, 1 is unstable`; null where all answer. */
export function silentText(down: number, unstable: number): string | null {
  const parts = [
    ...(down > 0 ? [tn('{count} worker is down', '{count} workers are down', down)] : []),
    ...(unstable > 0
      ? [
          down > 0
            ? tn('{count} is unstable', '{count} are unstable', unstable)
            : tn('{count} worker is unstable', '{count} workers are unstable', unstable),
        ]
      : []),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}
