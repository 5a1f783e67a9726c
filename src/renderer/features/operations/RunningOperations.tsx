import { IconListCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../../../lib/language.ts';
import { operationsQuery } from '../../api/operations.ts';
import { outcomeText, percentDone } from './shared/labels.ts';
import { useReach } from '../../stores/role.ts';
import { formatShare } from '../../ui/number-text.ts';

/** Bulk work under way, also after its panel was closed. */
export function RunningOperations() {
  const { data } = useQuery({ ...operationsQuery({ page: 0, size: 5 }), enabled: useReach('operations.list') });
  const [first, ...more] = data?.items.filter(({ status }) => status === 'RUNNING') ?? [];
  if (first === undefined) return null;
  return (
    <Link to="/operations" search={{ operation: first.operationId }} className="numbers">
      <IconListCheck size={14} aria-hidden /> {outcomeText(first)} ({formatShare(Math.floor(percentDone(first)) / 100)})
      {more.length > 0 && <> {t('and {count} more', { count: more.length })}</>}
    </Link>
  );
}
