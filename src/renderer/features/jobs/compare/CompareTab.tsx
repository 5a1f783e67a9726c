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
import { Section } from '../../../ui/Segment.tsx';
import { SkeletonLines } from '../../../ui/Skeletons.tsx';
import { Loading } from '../../../ui/Loading.tsx';

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
        isPending={isPending}
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
            {t('This workflow has no earlier successful run. Paste the ID of another job above.')}
          </EmptyState>
        )
      ) : query.data ? (
        <Found key={chosen} job={job} otherId={chosen} found={query.data} onTask={onTask} />
      ) : (
        <Loading query={query} what={t('Could not compare the runs')} height={320} />
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
      {/* What they were given says most often why they differ. */}
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
              />
            )
          }
        >
          {replicas === 0 ? (
            <p className="dim">{t('One of the runs received no input.')}</p>
          ) : (
            <ValueDifference
              jobId={job.id}
              otherId={otherId}
              params={{ of: 'input', replica }}
              label={t('Input diff')}
            />
          )}
          {found.inputs.differing > 1 && (
            <p className={css['legend']}>
              {t('{count} inputs differ, including #{list}.', {
                count: found.inputs.differing,
                list: found.inputs.replicas.slice(0, 8).join(', #'),
              })}
            </p>
          )}
        </Section>
        <Section title={t('Output')}>
          <ValueDifference jobId={job.id} otherId={otherId} params={{ of: 'output' }} label={t('Output diff')} />
        </Section>
      </div>
      <Section title={t('Time by node')}>
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
                  {t('Open task')}
                </button>
              )}
              <NodeLink workflowId={job.workflowId} node={pair.node} />
            </>
          }
        >
          {both === null ? (
            <p className="dim">{t('Only one of the runs has this task, so there is nothing to compare.')}</p>
          ) : (
            <div className={css['columns']}>
              {(['input', 'output'] as const).map((of) => (
                <div key={of}>
                  <h3>{of === 'input' ? t('Input') : t('Output')}</h3>
                  <ValueDifference
                    jobId={job.id}
                    otherId={otherId}
                    params={{ of, ...both }}
                    label={of === 'input' ? t('Task input diff') : t('Task output diff')}
                  />
                </div>
              ))}
            </div>
          )}
        </Section>
      )}
      <Section title={t('Log lines')}>
        <LogDifference jobId={job.id} otherId={otherId} />
      </Section>
      <Section title={t('Workers')}>
        <WorkerShares workers={found.workers} />
      </Section>
    </>
  );
}
