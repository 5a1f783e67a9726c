import type { ReactNode } from 'react';
import { Page, PageHeader } from '../../ui/Page.tsx';

export function WorkflowsPage(): ReactNode {
  return (
    <Page>
      <PageHeader title="Workflows" />
    </Page>
  );
}
