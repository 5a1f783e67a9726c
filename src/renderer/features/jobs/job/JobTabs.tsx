import { Button, Group, Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Job } from '../../../../contract/jobs.ts';
import { t } from '../../../../lib/language.ts';
import { useUiSettings } from '../../../ui/settings.tsx';
import { formatInstant } from '../../../ui/time-text.ts';
import { CompareTab } from '../compare/CompareTab.tsx';
import { GraphTab } from '../graph/GraphTab.tsx';
import type { JobSearch, JobTab } from '../job-view-search.ts';
import { TasksTab } from '../tasks/TasksTab.tsx';
import { TimelineTab } from '../timeline/TimelineTab.tsx';
import { DataTab } from './DataTab.tsx';
import { HistoryTab } from './HistoryTab.tsx';
import css from './JobPage.module.css';
import { LogsTab } from './LogsTab.tsx';
import { MetricsTab } from './MetricsTab.tsx';
import type { SearchChange } from '../../../ui/search-params.ts';

export const JOB_TAB_NAMES: Readonly<Record<JobTab, string>> = {
  graph: t('Graph'),
  tasks: t('Tasks'),
  timeline: t('Timeline'),
  logs: t('Logs'),
  metrics: t('Metrics'),
  data: t('Input/Output'),
  history: t('History'),
  compare: t('Compare'),
};

interface JobTabsProps {
  readonly job: Job;
  /** What is shown is of before. */
  readonly stale: boolean;
  readonly search: JobSearch;
  readonly tabs: readonly JobTab[];
  onChange(next: SearchChange<JobSearch>, replace?: boolean): void;
  onTask(taskId: string): void;
  /** The job takes the place of the one that it is compared with. */
  onCompare(other: string): void;
}

/** The views of a job. A stretch of time that was chosen on the timeline narrows its log lines and metrics. */
export function JobTabs({ job, stale, search, tabs, onChange, onTask, onCompare }: JobTabsProps): ReactNode {
  const tab = search.tab ?? 'graph';
  const { zone } = useUiSettings();
  const chosen = search.from !== undefined && search.to !== undefined ? { from: search.from, to: search.to } : null;
  const choose = (stretch: { readonly from: number; readonly to: number } | null) =>
    onChange({
      from: stretch ? new Date(stretch.from).toISOString() : undefined,
      to: stretch ? new Date(stretch.to).toISOString() : undefined,
    });
  return (
    <Tabs
      className={css['tabs'] ?? ''}
      value={tab}
      onChange={(value) => onChange({ tab: tabs.find((one) => one === value && one !== 'graph') }, false)}
      keepMounted={false}
    >
      <Tabs.List>
        {tabs.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {JOB_TAB_NAMES[one]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {chosen && (tab === 'logs' || tab === 'metrics') && (
        <Group gap={8} mt={8}>
          <span className="dim numbers">
            {t('Only {from} to {value}, selected on the timeline', {
              from: formatInstant(Date.parse(chosen.from), zone),
              value: formatInstant(Date.parse(chosen.to), zone).slice(11),
            })}
          </span>
          <Button size="compact-xs" variant="light" onClick={() => choose(null)}>
            {t('Show whole job')}
          </Button>
        </Group>
      )}
      <Tabs.Panel value="graph" className={css['panel'] ?? ''}>
        <GraphTab
          job={job}
          stale={stale}
          task={search.task}
          node={search.node}
          onTask={onTask}
          onNode={(node) => onChange({ tab: 'tasks', node, state: undefined, page: undefined }, false)}
        />
      </Tabs.Panel>
      <Tabs.Panel value="tasks" className={css['panel'] ?? ''}>
        <TasksTab job={job} search={search} onChange={(next) => onChange(next, next.task === undefined)} />
      </Tabs.Panel>
      <Tabs.Panel value="timeline" className={css['panel'] ?? ''}>
        <TimelineTab
          job={job}
          current={search.task}
          chosen={chosen && { from: Date.parse(chosen.from), to: Date.parse(chosen.to) }}
          onTask={onTask}
          onChoose={choose}
        />
      </Tabs.Panel>
      <Tabs.Panel value="logs" className={css['panel'] ?? ''}>
        <LogsTab job={job} chosen={chosen} />
      </Tabs.Panel>
      <Tabs.Panel value="metrics" className={css['panel'] ?? ''} tabIndex={0}>
        <MetricsTab job={job} chosen={chosen} />
      </Tabs.Panel>
      <Tabs.Panel value="data" className={css['panel'] ?? ''}>
        <DataTab job={job} onTask={onTask} />
      </Tabs.Panel>
      <Tabs.Panel value="history" className={css['panel'] ?? ''}>
        <HistoryTab job={job} onTask={onTask} />
      </Tabs.Panel>
      <Tabs.Panel value="compare" className={css['panel'] ?? ''}>
        <CompareTab
          job={job}
          other={search.other}
          onOther={(other) => onChange({ other })}
          onSwap={onCompare}
          onTask={onTask}
        />
      </Tabs.Panel>
    </Tabs>
  );
}
