import { useRouter } from '@tanstack/react-router';
import { t } from '../../../lib/language.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Page, PageHeader } from '../../ui/Page.tsx';

/** A page that could not be drawn; the frame around it still works. */
export function PageFailure({ error, reset }: { error: unknown; reset?: () => void }) {
  const router = useRouter();
  const retry = () => {
    reset?.();
    void router.invalidate();
  };
  return (
    <Page>
      <PageHeader title={t('This page failed')} />
      <ErrorState error={error} what={t('The page could not be drawn')} onRetry={retry} />
    </Page>
  );
}
