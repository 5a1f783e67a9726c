import { Progress, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FailureDetail } from '../../../../contract/failures.ts';
import { t, tn } from '../../../../lib/language.ts';
import { formatCount } from '../../../ui/Duration.tsx';

/** Every job of it has succeeded since: run again, or retried. */
export const isFixed = ({ standing }: Pick<FailureDetail, 'standing'>): boolean =>
  standing.jobs > 0 && standing.succeeded === standing.jobs;

/** What the jobs of a failure came to by now; nothing as long as none of them got further. */
export function DecisionBadge({ group }: { group: FailureDetail }): ReactNode {
  const { jobs, succeeded, running, failed } = group.standing;
  if (succeeded + running === 0) return null;
  const share = (n: number): number => (n / jobs) * 100;
  const words = isFixed(group)
    ? tn('Its job has since succeeded.', 'All {count} jobs have since succeeded.', jobs)
    : t('Of {jobs}, {succeeded} have since succeeded, {running} are running and {failed} are still failed.', {
        succeeded: formatCount(succeeded),
        jobs: tn('{count} job', '{count} jobs', jobs),
        running: formatCount(running),
        failed: formatCount(failed),
      });
  return (
    <section aria-label={t('Current status')}>
      <Text size="sm" mb={4} role="status">
        {words}
      </Text>
      <Progress.Root size="md" aria-hidden>
        <Progress.Section value={share(succeeded)} color="teal.8" />
        <Progress.Section value={share(running)} color="blue.8" />
        <Progress.Section value={share(failed)} color="red.9" />
      </Progress.Root>
    </section>
  );
}
