import type { ReactNode } from 'react';
import type { Alert } from '../../../contract/alerts.ts';
import { rich } from '../../ui/rich.tsx';
import { TimeAgo } from '../../ui/Time.tsx';

/** Who looks after an alert, since when, and what they say of it; nothing where nobody does. */
export function AcknowledgedBy({ alert: { acknowledged } }: { alert: Alert }): ReactNode {
  if (!acknowledged) return null;
  const { by, at, note } = acknowledged;
  return (
    <span className="dim">
      {' · '}
      {rich('acknowledged by {name} {timeAgo}', { name: <bdi>{by}</bdi>, timeAgo: <TimeAgo at={at} /> })}
      {note !== '' && <bdi>{`: ${note}`}</bdi>}
    </span>
  );
}
