import type { ReactNode } from 'react';
import { Page, PageHeader } from '../../ui/Page.tsx';

export function WorkersPage(): ReactNode {
  return (
    <Page>
      <PageHeader title="Workers" />
    </Page>
  );
}
