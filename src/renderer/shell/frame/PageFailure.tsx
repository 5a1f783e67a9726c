import { useRouter } from '@tanstack/react-router';
import { t } from '../../../lib/language.ts';
import { isPartMissing } from '../../ui/error-text.ts';
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
      <PageHeader title={t('This page crashed')} />
      {isPartMissing(error) ? (
        // A browser remembers a module that it could not have: only a page that is loaded anew asks for it again.
        <ErrorState
          error={{
            detail: t(
              'The master was updated since you opened this page, or it is not reachable. “Try again” reloads the page; workflow drafts are kept.',
            ),
          }}
          what={t('Could not load part of the console')}
          onRetry={() => window.location.reload()}
        />
      ) : (
        <ErrorState error={error} what={t('Could not render the page')} onRetry={retry} />
      )}
    </Page>
  );
}
