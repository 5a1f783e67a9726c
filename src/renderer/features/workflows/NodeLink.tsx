import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../../lib/language.ts';
import { useRecorded } from '../../stores/recorded.ts';

/** Leads to a node in the builder of its workflow. An incident bundle has no builder: what would be the link is plain there, or nothing. */
export function NodeLink({
  workflowId,
  node,
  children,
}: {
  workflowId: string;
  node: string;
  children?: ReactNode;
}): ReactNode {
  if (useRecorded()) return children ?? null;
  return (
    <Link
      to="/workflows/$workflowId"
      params={{ workflowId }}
      search={{ node }}
      preload={false}
      {...(children === undefined ? {} : { title: t('Open node in builder') })}
    >
      {children ?? t('Open node in builder')}
    </Link>
  );
}
