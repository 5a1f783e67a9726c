import { Stack } from '@mantine/core';
import type { Overview } from '../../../../contract/master.ts';
import { t } from '../../../../lib/language.ts';
import { workersUp } from '../../../shell/frame/workers-up.ts';
import { formatCount } from '../../../ui/Duration.tsx';
import { UsageBar } from '../../../ui/UsageBar.tsx';
import css from './OverviewPage.module.css';

export function Capacity({ tasks, workers }: { tasks: Overview['tasks']; workers: Overview['workers'] | undefined }) {
  return (
    <Stack gap={8}>
      {workers && <UsageBar label={t('Slots in use')} used={workers.currentTasks} of={workers.maxTasks} high />}
      <div className={`${css['words']} numbers`}>
        {workers && <span>{workersUp(workers)}</span>}
        <span>
          {t('{ready} ready, {scheduled} scheduled, {running} running', {
            ready: formatCount(tasks.ready),
            scheduled: formatCount(tasks.scheduled),
            running: formatCount(tasks.running),
          })}
          {tasks.retrying > 0 && t(', {retrying} waiting for retry', { retrying: formatCount(tasks.retrying) })}
        </span>
      </div>
    </Stack>
  );
}
