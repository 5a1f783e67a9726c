import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page, PageHeader } from '../../ui/Page.tsx';

export function NotFoundPage(): ReactNode {
  const { pathname } = useLocation();
  return (
    <Page>
      <PageHeader title="No such page" />
      <EmptyState icon={IconMapOff} title="Nothing is at this address" action={<Button component={Link} to="/">To the overview</Button>}>
        <code>{pathname}</code> is no page of the console. Press Ctrl K to find a job, workflow or worker by name or id.
      </EmptyState>
    </Page>
  );
}
