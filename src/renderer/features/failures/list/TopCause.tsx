import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { FailureGroup } from '../../../../contract/failures.ts';
import { t } from '../../../../lib/language.ts';
import { failureCausesQuery } from '../../../api/failures.ts';
import { causeText, isStrong, percentText } from './causes.ts';
import css from './Failures.module.css';

/** With fewer failures nothing is ever named. */
const LEAST = 5;

/** What is most over-represented among the failures of a group: a worker, a commit, a value of the input. */
export function TopCause({ group }: { group: FailureGroup }): ReactNode {
  const asked = group.status === 'OPEN' && group.count >= LEAST;
  const { data, isPending } = useQuery({ ...failureCausesQuery(group.id), enabled: asked });
  const cause = data?.find(isStrong) ?? data?.[0];
  if (cause === undefined) return <span className="dim">{asked && isPending ? '…' : '–'}</span>;
  const words = t('{share} {words}', { share: percentText(cause.failures), words: causeText(cause) });
  return (
    <span
      className={css['cause']}
      title={t('{words}; {share} of successes', { words, share: percentText(cause.successes) })}
    >
      {words}
    </span>
  );
}
