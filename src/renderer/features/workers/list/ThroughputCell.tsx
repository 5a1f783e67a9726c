import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { tn } from '../../../../lib/language.ts';
import { workerThroughputQuery } from '../../../api/metrics.ts';
import { useReach } from '../../../stores/role.ts';
import { SparkBars } from '../../../ui/SparkBars.tsx';
import { throughputByWorker } from './throughput.ts';

const MINUTES = 20;
const REFRESH_MS = 15_000;
const Throughput = createContext<ReadonlyMap<string, readonly number[]>>(new Map());

/** Reads what the workers of the list did lately, in one query; it comes after the list itself. */
export function ThroughputOf({ children }: { children: ReactNode }): ReactNode {
  const { data, dataUpdatedAt } = useQuery({
    ...workerThroughputQuery(MINUTES),
    enabled: useReach('metrics.series'),
    refetchInterval: REFRESH_MS,
  });
  const byWorker = useMemo(
    () => (data ? throughputByWorker(data, MINUTES, dataUpdatedAt) : new Map<string, readonly number[]>()),
    [data, dataUpdatedAt],
  );
  return <Throughput value={byWorker}>{children}</Throughput>;
}

/** Tasks that a worker finished, a bar a minute. */
export function ThroughputCell({ workerId }: { workerId: string }): ReactNode {
  const bars = useContext(Throughput).get(workerId);
  if (!bars) return <span className="dim">–</span>;
  const count = bars.reduce((sum, one) => sum + one, 0);
  return (
    <SparkBars
      tone="plain"
      counts={bars}
      label={tn('{count} task in the last {minutes} minutes', '{count} tasks in the last {minutes} minutes', count, {
        minutes: MINUTES,
      })}
    />
  );
}
