import { t, tn } from '../../../lib/language.ts';
import type { WorkerTotals } from '../../../contract/master.ts';
import { formatCount } from '../../ui/Duration.tsx';

/** `2 of 3 workers up, 1 drained`. Those that are drained are up, and get no new tasks. */
export function workersUp({ total, operational, maxed, drained }: WorkerTotals): string {
  const up = operational + maxed;
  const rest =
    drained === 0
      ? ''
      : drained < up
        ? t(', {count} draining', { count: formatCount(drained) })
        : up === 1
          ? t(', draining')
          : t(', all draining');
  return tn('{up} of {count} worker online', '{up} of {count} workers online', total, { up: formatCount(up) }) + rest;
}

/** True where none takes tasks: those that wait only grow more. */
export const noWorkerAccepts = ({ operational, maxed, drained }: WorkerTotals): boolean =>
  operational + maxed - drained <= 0;
