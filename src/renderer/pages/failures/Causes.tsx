import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FailureCause } from '../../../contract/api-engine.ts';
import { ToneBadge } from '../../ui/Badges.tsx';
import { causeWords, isStrong, percentWords } from './causes.ts';
import css from './FailuresPage.module.css';

/** What is more frequent among the failures than among the successes of the same workflow and time, as sentences and bars. */
export function Causes({ causes, workers }: { causes: readonly FailureCause[]; workers: number }): ReactNode {
  if (causes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing stands out: no worker, commit, environment or input value is more frequent here than among the runs of the same time that succeeded, or too few of either to compare{workers > 1 ? `; it happened on ${workers} workers` : ''}.
      </Text>
    );
  return (
    <ul className={css['causes']}>
      {causes.map((cause) => (
        <li key={`${cause.kind} ${cause.path ?? ''} ${cause.value}`}>
          <p title={cause.value}>
            <strong>{percentWords(cause.failures)}</strong> of the failures {causeWords(cause)}, <strong>{percentWords(cause.successes)}</strong> of the successes. {isStrong(cause) && <ToneBadge tone="fail">likely</ToneBadge>}
          </p>
          <Share share={cause.failures} tone="fail" />
          <Share share={cause.successes} tone="done" />
        </li>
      ))}
    </ul>
  );
}

/** The sentence above says it already. */
function Share({ share, tone }: { share: number; tone: 'fail' | 'done' }): ReactNode {
  return (
    <span className={css['track']} aria-hidden>
      <span className={css['share']} data-tone={tone} style={{ width: `${share === 0 ? 0 : Math.max(0.5, share * 100)}%` }} />
    </span>
  );
}
