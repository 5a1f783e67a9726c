import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FailureCause } from '../../../../contract/failures.ts';
import { t } from '../../../../lib/language.ts';
import { ToneBadge } from '../../../ui/Badges.tsx';
import { rich } from '../../../ui/rich.tsx';
import { causeText, isStrong, percentText } from './causes.ts';
import css from './Failures.module.css';

/** What is more frequent among the failures than among the successes of the same workflow and time, as sentences and bars. */
export function Causes({ causes, workers }: { causes: readonly FailureCause[]; workers: number }): ReactNode {
  if (causes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t(
          'No likely cause: no worker, commit, environment or input value is more common here than in successful runs of the same period, or there are too few runs to compare.',
        )}{' '}
        {workers > 1 && t('Seen on {workers} workers.', { workers })}
      </Text>
    );
  return (
    <ul className={css['causes']}>
      {causes.map((cause) => (
        <li key={`${cause.kind} ${cause.path ?? ''} ${cause.value}`}>
          <p title={cause.value}>
            {cause.fewRuns ? (
              <FewRuns cause={cause} runs={cause.fewRuns} />
            ) : (
              rich('{strong} of failures {cause}, but {strong2} of successes. {toneBadge}', {
                strong: <strong>{percentText(cause.failures)}</strong>,
                cause: causeText(cause),
                strong2: <strong>{percentText(cause.successes)}</strong>,
                toneBadge: isStrong(cause) && <ToneBadge tone="fail">{t('likely')}</ToneBadge>,
              })
            )}
          </p>
          <Share share={cause.failures} tone="fail" />
          <Share share={cause.successes} tone="done" />
        </li>
      ))}
    </ul>
  );
}

/** Shares in per cent of a handful of runs would promise more than they hold. */
function FewRuns({ cause, runs }: { cause: FailureCause; runs: NonNullable<FailureCause['fewRuns']> }): ReactNode {
  return rich('All {failures} failures {cause}, but none of {successes} successes. {toneBadge}', {
    failures: <strong>{runs.failures}</strong>,
    cause: causeText(cause),
    successes: <strong>{runs.successes}</strong>,
    toneBadge: (
      <span title={t('Chance alone would separate so few runs as completely in at most 1 of 50 cases.')}>
        <ToneBadge tone="partial">{t('possible: few runs')}</ToneBadge>
      </span>
    ),
  });
}

/** The sentence above says it already. */
function Share({ share, tone }: { share: number; tone: 'fail' | 'done' }): ReactNode {
  return (
    <span className={css['track']} aria-hidden>
      <span
        className={css['share']}
        data-tone={tone}
        style={{ width: `${share === 0 ? 0 : Math.max(0.5, share * 100)}%` }}
      />
    </span>
  );
}
