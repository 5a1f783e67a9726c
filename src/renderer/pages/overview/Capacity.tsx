import type { Overview } from '../../../contract/api.ts';
import { workersUp } from '../../parts/worker-words/up.ts';
import { formatCount } from '../../ui/Duration.tsx';
import { UseBar } from '../../ui/UseBar.tsx';
import css from './OverviewPage.module.css';

export function Capacity({ tasks, workers }: { tasks: Overview['tasks']; workers: Overview['workers'] }) {
  return (
    <div className={css['capacity']}>
      <UseBar label="Slots taken" used={workers.currentTasks} of={workers.maxTasks} high />
      <div className={`${css['words']} numbers`}>
        <span>{workersUp(workers)}</span>
        <span>
          {formatCount(tasks.ready)} ready, {formatCount(tasks.scheduled)} scheduled, {formatCount(tasks.running)} running
          {tasks.retrying > 0 && `, ${formatCount(tasks.retrying)} to be retried`}
        </span>
      </div>
    </div>
  );
}
