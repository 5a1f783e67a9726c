import { Box, Button } from '@mantine/core';
import { IconAlertTriangle, IconLock, IconPlugConnectedX } from '@tabler/icons-react';
import { t } from '../../lib/language.ts';
import { CopyText } from './CopyButton.tsx';
import { detailsText, describeError, furtherFaults, isForbidden } from './error-text.ts';
import css from './States.module.css';

export interface ErrorStateProps {
  error: unknown;
  /** The sentence at the top, such as 'The job could not be read'. */
  what: string;
  onRetry?: (() => void) | undefined;
  compact?: boolean;
}

/** What failed, why, try again, copy the details. A role that is too low is told apart: trying again would not help. */
export function ErrorState({ error, what, onRetry, compact = false }: ErrorStateProps) {
  const failure = describeError(error);
  const forbidden = isForbidden(failure);
  const Icon = forbidden
    ? IconLock
    : failure.code === 'OFFLINE' || failure.code === 'MASTER_UNREACHABLE'
      ? IconPlugConnectedX
      : IconAlertTriangle;
  return (
    <div role="alert" className={`${css['state']} ${css['failed']} ${compact ? css['compact'] : ''}`}>
      <Icon size={compact ? 20 : 30} stroke={1.6} aria-hidden />
      <p className={css['title']}>{forbidden ? t('Permission denied') : what}</p>
      <div className={css['text']}>
        {failure.title !== t('Something went wrong') && <strong>{failure.title}. </strong>}
        {failure.detail}
      </div>
      <Faults errors={furtherFaults(failure)} />
      {failure.code && (
        <Box className="mono" fz="var(--text-small)" c="var(--ink-3)">
          {failure.code}
          {failure.requestId && ` · ${failure.requestId}`}
        </Box>
      )}
      <div className={css['actions']}>
        {onRetry && !forbidden && (
          <Button variant="default" onClick={onRetry}>
            {t('Try again')}
          </Button>
        )}
        <CopyText label={t('Copy details')} text={() => detailsText(what, error, new Date())} />
      </div>
    </div>
  );
}

/** One line for a form whose sending failed; `advice`: what to do. */
export function ErrorLine({ error, advice }: { error: unknown; advice?: string | undefined }) {
  if (error === null || error === undefined) return null;
  const failure = describeError(error);
  return (
    <div role="alert" className={css['line']} data-shade="fail">
      <IconAlertTriangle size={16} aria-hidden />
      <span>
        {failure.detail || failure.title}
        {failure.code && <span className="mono"> ({failure.code})</span>}
      </span>
      <Faults errors={furtherFaults(failure)} />
      {advice !== undefined && <span>{advice}</span>}
    </div>
  );
}

function Faults({ errors }: { errors: readonly { pointer: string; message: string }[] }) {
  if (errors.length === 0) return null;
  return (
    <ul className={css['faults']}>
      {errors.slice(0, 8).map((fault) => (
        <li key={`${fault.pointer} ${fault.message}`}>
          <span className="mono">{fault.pointer || '/'}</span>: {fault.message}
        </li>
      ))}
      {errors.length > 8 && <li>{t('and {count} more', { count: errors.length - 8 })}</li>}
    </ul>
  );
}
