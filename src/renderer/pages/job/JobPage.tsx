import type { ReactNode } from 'react';
import { Page, PageHeader } from '../../ui/Page.tsx';

export function JobPage(): ReactNode {
  return (
    <Page>
      <PageHeader title="Job" />
    </Page>
  );
}
