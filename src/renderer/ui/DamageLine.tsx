import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { DataWarning } from '../../contract/data-health.ts';
import { t, tn } from '../../lib/language.ts';
import { formatCount } from './Duration.tsx';
import css from './States.module.css';

/** Says that what is shown is not whole, as some of the stored data is damaged; nothing where it is. */
export function DamageLine({ warnings = [] }: { warnings?: readonly DataWarning[] | undefined }): ReactNode {
  if (warnings.length === 0) return null;
  const lost = warnings.every((one) => one.lost !== undefined)
    ? warnings.reduce((sum, one) => sum + (one.lost ?? 0), 0)
    : null;
  return (
    <div
      role="status"
      className={css['line']}
      data-shade="warn"
      title={warnings.map(({ message }) => message).join('\n')}
    >
      <IconAlertTriangle size={16} aria-hidden />
      <span>
        {lost === null
          ? tn(
              'Not all is shown: {count} part of the data is damaged.',
              'Not all is shown: {count} parts of the data are damaged.',
              warnings.length,
            )
          : t('Not all is shown: {lost} records are damaged.', { lost: formatCount(lost) })}
      </span>
    </div>
  );
}
