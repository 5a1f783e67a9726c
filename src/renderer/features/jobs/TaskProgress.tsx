import { Progress } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Task } from '../../../contract/tasks.ts';
import { t } from '../../../lib/language.ts';
import { formatShare } from '../../ui/number-text.ts';

type Reported = Pick<Task, 'progress' | 'state'>;
export const hasNoProgress = ({ progress, state }: Reported): boolean =>
  state !== 'RUNNING' || progress === null || progress === undefined;

/** What a handler told of how far it is; nothing where it told nothing. */
export function TaskProgress({ task, withMessage = false }: { task: Reported; withMessage?: boolean }): ReactNode {
  const { progress } = task;
  if (progress === null || progress === undefined || task.state !== 'RUNNING')
    return withMessage ? null : <span className="dim">–</span>;
  const percent = Math.round(progress.fraction * 100);
  const words =
    progress.message === null
      ? formatShare(progress.fraction)
      : `${formatShare(progress.fraction)}, ${progress.message}`;
  return (
    <span data-hint={words}>
      <Progress
        value={percent}
        aria-label={t('Progress: {words}', { words })}
        size={withMessage ? 'lg' : 'md'}
        miw={80}
      />
      {withMessage && <span className="numbers">{words}</span>}
    </span>
  );
}
