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
      <PageHeader title={t('This page failed')} />
      {isPartMissing(error) ? (
        // A browser remembers a module that it could not have: only a page that is loaded anew asks for it again.
        <ErrorState
          error={{
            detail: t(
              'The master was updated since this page was opened, or it cannot be reached. “Try again” loads the whole page anew; drafts of workflows are kept.',
            ),
          }}
          what={t('A part of the console could not be loaded')}
          onRetry={() => window.location.reload()}
        />
      ) : (
        <ErrorState error={error} what={t('The page could not be drawn')} onRetry={retry} />
      )}
    </Page>
  );
}
