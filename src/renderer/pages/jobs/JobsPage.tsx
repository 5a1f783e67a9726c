import type { ReactNode } from 'react';
import { Page, PageHeader } from '../../ui/Page.tsx';

export function JobsPage(): ReactNode {
  return (
    <Page>
      <PageHeader title="Jobs" />
    </Page>
  );
}
