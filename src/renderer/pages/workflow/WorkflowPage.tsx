import type { ReactNode } from 'react';
import { Page, PageHeader } from '../../ui/Page.tsx';

export function WorkflowPage(): ReactNode {
  return (
    <Page>
      <PageHeader title="Workflow" />
    </Page>
  );
}
