import { IconLock } from '@tabler/icons-react';
import { Navigate, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { scopeOf } from '../../../contract/route-scopes.ts';
import { t } from '../../../lib/language.ts';
import { whyNot } from '../../stores/permissions.ts';
import { useRights } from '../../stores/role.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page, PageHeader } from '../../ui/Page.tsx';
import { entryAt, isFor, navEntries } from './nav.ts';

/** The page, or why it is not for somebody with these rights. Who may not see the Overview begins at the first page that is theirs. */
export function PageGate({ children }: { children: ReactNode }): ReactNode {
  const rights = useRights();
  const pathname = useLocation({ select: (location) => location.pathname });
  const entry = entryAt(pathname);
  if (entry?.needs === undefined || isFor(rights, entry)) return children;
  const first = navEntries().find((one) => isFor(rights, one));
  if (pathname === '/' && first) return <Navigate to={first.to} replace />;
  const scope = scopeOf(entry.needs);
  return (
    <Page>
      <PageHeader title={entry.label} />
      <EmptyState icon={IconLock} title={t('This page is not for your roles')}>
        {scope && whyNot({ ...rights, held: null }, scope.action, scope.in === 'all' ? null : 'anywhere')}
      </EmptyState>
    </Page>
  );
}
