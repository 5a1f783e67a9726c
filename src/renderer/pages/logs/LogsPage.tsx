import type { ReactNode } from 'react';
import { Page, PageHeader } from '../../ui/Page.tsx';

export function LogsPage(): ReactNode {
  return (
    <Page>
      <PageHeader title="Logs" />
    </Page>
  );
}
