import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Job } from '../../../contract/api.ts';
import { ActionButton } from '../../parts/job-actions/ActionButton.tsx';
import { type JobAction, type Legal, legal } from '../../parts/job-actions/legal.ts';
import { formatCount } from '../../ui/Duration.tsx';

export interface SelectionBarProps {
  /** What is known of the chosen jobs; those of other pages as they were seen last. */
  readonly chosen: readonly Job[];
  /** How many are chosen. */
  readonly count: number;
  /** Every job that matches is chosen, whatever the page shows. */
  readonly all: boolean;
  /** Jobs that match, over all pages. */
  readonly total: number;
  /** Each row of the page is chosen. */
  readonly wholePage: boolean;
  readonly canOperate: boolean;
  onAsk(action: JobAction): void;
  onAll(): void;
  onClear(): void;
}

/** What can be done with the chosen jobs, and the way from a page to all that match. */
export function SelectionBar({ chosen, count, all, total, wholePage, canOperate, onAsk, onAll, onClear }: SelectionBarProps): ReactNode {
  const may = (action: JobAction): Legal => {
    const [first] = chosen;
    if (all || !first) return canOperate ? { ok: true } : { ok: false, reason: 'Your role is viewer: this needs an operator.' };
    return chosen.some((job) => legal(action, job, canOperate).ok) ? { ok: true } : legal(action, first, canOperate);
  };
  return (
    <Group gap={8} role="group" aria-label="Selected jobs">
      <span className="numbers" role="status">
        {all ? `All ${formatCount(total)} selected` : `${formatCount(count)} selected`}
      </span>
      {!all && wholePage && total > count && (
        <Button variant="subtle" size="compact-sm" onClick={onAll}>
          Select all {formatCount(total)}
        </Button>
      )}
      <ActionButton action="retry" may={may('retry')} onClick={() => onAsk('retry')} />
      <ActionButton action="kill" may={may('kill')} onClick={() => onAsk('kill')} />
      <Button variant="subtle" color="gray" onClick={onClear}>
        Clear selection
      </Button>
    </Group>
  );
}
