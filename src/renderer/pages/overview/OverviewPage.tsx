import type { ReactNode } from 'react';
import { Page, PageHeader } from '../../ui/Page.tsx';

export function OverviewPage(): ReactNode {
  return (
    <Page>
      <PageHeader title="Overview" />
    </Page>
  );
}
