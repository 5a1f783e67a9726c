import { NumberInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Comparison, TaskPair } from '../../../../contract/comparisons.ts';
import type { Job } from '../../../../contract/jobs.ts';
import { t } from '../../../../lib/language.ts';
import { comparisonQuery } from '../../../api/compare.ts';
import css from './Compare.module.css';
import { Headline } from './Headline.tsx';
import { LogDifference } from './LogDifference.tsx';
import { NodeBars } from './NodeBars.tsx';
import { OtherPicker } from './OtherPicker.tsx';
import { TaskDifferences } from './TaskDifferences.tsx';
import { useSuggestions } from './use-suggestions.ts';
import { ValueDifference } from './ValueDifference.tsx';
import { WorkerShares } from './WorkerShares.tsx';
import { useNodeName } from '../../workflows/NodeName.tsx';
import { NodeLink } from '../../workflows/NodeLink.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Section } from '../../../ui/Segment.tsx';
import { SkeletonBlock, SkeletonLines } from '../../../ui/Skeletons.tsx';

export interface CompareTabProps {
  readonly job: Job;
  /** From the address; absent: the best of those that offer themselves. */
  readonly other: string | undefined;
  onOther(jobId: string): void;
  onSwap(otherId: string): void;
  onTask(taskId: string): void;
}

/** This run beside another: what sets them apart, what matters most first. */
export function CompareTab({ job, other, onOther, onSwap, onTask }: CompareTabProps): ReactNode {
  const client = useQueryClient();
  const { suggestions, isPending } = useSuggestions(job);
  const chosen = other ?? suggestions[0]?.job.id;
  const query = useQuery({
    ...comparisonQuery(job.id, chosen ?? ''),
    enabled: chosen !== undefined && chosen !== job.id,
  });
  return (
    <div className={css['compare']}>
      <OtherPicker
        job={job}
        other={chosen}
        suggestions={suggestions}
        busy={query.isFetching}
        onOther={onOther}
        onSwap={() => chosen !== undefined && onSwap(chosen)}
        onAgain={() => void client.invalidateQueries({ queryKey: ['compare'] })}
      />
      {chosen === undefined ? (
        isPending ? (
          <SkeletonLines lines={4} />
        ) : (
          <EmptyState title={t('No run to compare with yet')}>
            {t('There is no earlier run of this workflow that ended well. Paste the id of any other job above.')}
          </EmptyState>
        )
      ) : query.error && !query.data ? (
        <ErrorState
          what={t('The runs could not be compared')}
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      ) : query.data ? (
        <Found key={chosen} job={job} otherId={chosen} found={query.data} onTask={onTask} />
      ) : (
        <SkeletonBlock height={320} />
      )}
    </div>
  );
}

function Found({
  job,
  otherId,
  found,
  onTask,
}: {
  job: Job;
  otherId: string;
  found: Comparison;
  onTask(taskId: string): void;
}): ReactNode {
  const [pair, setPair] = useState<TaskPair | null>(null);
  const nameOf = useNodeName();
  const [replica, setReplica] = useState(found.inputs.replicas[0] ?? 0);
  const replicas = Math.min(found.here.inputCount, found.there.inputCount);
  const both = pair?.here && pair.there ? { task: pair.here.taskId, otherTask: pair.there.taskId } : null;
  return (
    <>
      <Headline found={found} onTask={onTask} />
      <Section title={t('Where the time went')}>
        <NodeBars nodes={found.nodes} workflowId={job.workflowId} />
      </Section>
      <Section title={t('Tasks that differ')}>
        <TaskDifferences
          found={found.tasks}
          chosen={pair === null ? undefined : `${pair.node} ${pair.replica} ${pair.item}`}
          onChoose={setPair}
        />
      </Section>
      {pair !== null && (
        <Section
          title={t('{node}, input {replica}', {
            node: nameOf(pair.node),
            replica: pair.item === null ? pair.replica : `${pair.replica}/${pair.item}`,
          })}
          actions={
            <>
              {pair.here && (
                <button type="button" className="linkish" onClick={() => pair.here && onTask(pair.here.taskId)}>
                  {t('Open the task')}
                </button>
              )}
              <NodeLink workflowId={job.workflowId} node={pair.node} />
            </>
          }
        >
          {both === null ? (
            <p className="dim">{t('One run alone has this task, so there is nothing to compare it with.')}</p>
          ) : (
            <div className={css['columns']}>
              {(['input', 'output'] as const).map((of) => (
                <div key={of}>
                  <h3>{of === 'input' ? t('Its input') : t('Its output')}</h3>
                  <ValueDifference
                    jobId={job.id}
                    otherId={otherId}
                    params={{ of, ...both }}
                    label={of === 'input' ? t('Difference of the task’s input') : t('Difference of the task’s output')}
                  />
                </div>
              ))}
            </div>
          )}
        </Section>
      )}
      <div className={css['columns']}>
        <Section
          title={t('Input')}
          actions={
            replicas > 1 && (
              <NumberInput
                aria-label={t('Replica')}
                prefix="#"
                min={0}
                max={replicas - 1}
                value={replica}
                onChange={(value) => Number.isInteger(value) && setReplica(Number(value))}
                w={110}
                size="xs"
              />
            )
          }
        >
          {replicas === 0 ? (
            <p className="dim">{t('One of them was sent no input.')}</p>
          ) : (
            <ValueDifference
              jobId={job.id}
              otherId={otherId}
              params={{ of: 'input', replica }}
              label={t('Difference of the inputs')}
            />
          )}
          {found.inputs.differing > 1 && (
            <p className={css['legend']}>
              {t('{count} inputs differ, among them #{list}.', {
                count: found.inputs.differing,
                list: found.inputs.replicas.slice(0, 8).join(', #'),
              })}
            </p>
          )}
        </Section>
        <Section title={t('Output')}>
          <ValueDifference
            jobId={job.id}
            otherId={otherId}
            params={{ of: 'output' }}
            label={t('Difference of the outputs')}
          />
        </Section>
      </div>
      <Section title={t('Log lines')}>
        <LogDifference jobId={job.id} otherId={otherId} />
      </Section>
      <Section title={t('Workers')}>
        <WorkerShares workers={found.workers} />
      </Section>
    </>
  );
}
