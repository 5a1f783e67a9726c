import type { ReactNode } from 'react';
import { Page, PageHeader } from '../../ui/Page.tsx';

export function SettingsPage(): ReactNode {
  return (
    <Page>
      <PageHeader title="Settings" />
    </Page>
  );
}
