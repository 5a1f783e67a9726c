import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../../lib/language.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page, PageHeader } from '../../ui/Page.tsx';
import { rich } from '../../ui/rich.tsx';

export function NotFoundPage(): ReactNode {
  const { pathname } = useLocation();
  return (
    <Page>
      <PageHeader title={t('Page not found')} />
      <EmptyState
        icon={IconMapOff}
        title={t('There is no page at this address')}
        action={
          <Button component={Link} to="/">
            {t('Go to overview')}
          </Button>
        }
      >
        {rich('{code} is not a page of the console. Press Ctrl K to find a job, workflow or worker by name or ID.', {
          code: <code>{pathname}</code>,
        })}
      </EmptyState>
    </Page>
  );
}
