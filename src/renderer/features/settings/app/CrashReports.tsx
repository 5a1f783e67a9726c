import { Button, Group, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { t, tn } from '../../../../lib/language.ts';
import { callShell, desktop, reportsQuery } from '../../../stores/desktop.ts';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Section } from '../../../ui/Segment.tsx';
import { SkeletonLines } from '../../../ui/Skeletons.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { toastError } from '../../../ui/toasts.tsx';
import css from '../shared/Settings.module.css';

const SHOWN = 8;

/** Crashes and uncaught errors of the desktop app, on this machine alone. Nothing in a browser. */
export function CrashReports(): ReactNode {
  const { data, error, refetch } = useQuery(reportsQuery());
  const [text, setText] = useState<string | null>(null);
  const [all, setAll] = useState(false);
  const [clearing, setClearing] = useState(false);
  if (!desktop()) return null;
  const sources = {
    app: t('App'),
    window: t('Window'),
    page: t('Page'),
    helper: t('Helper process'),
    master: t('Local master'),
  } as const;
  const read = (id: string) =>
    void callShell('reports:read', { id }).then(setText, (failure: unknown) =>
      toastError(t('Could not load the report'), failure),
    );
  const showFolder = () =>
    void callShell('reports:show', null).catch((failure: unknown) =>
      toastError(t('Could not open the folder'), failure),
    );
  const shown = all ? data : data?.slice(0, SHOWN);
  return (
    <Section
      title={t('Crash reports')}
      flush
      actions={
        <Group gap={6}>
          <Button variant="default" onClick={showFolder}>
            {t('Open folder')}
          </Button>
          <Button variant="default" disabled={!data?.length} onClick={() => setClearing(true)}>
            {t('Delete all')}
          </Button>
        </Group>
      }
    >
      {data === undefined &&
        (error === null ? (
          <SkeletonLines lines={3} />
        ) : (
          <ErrorState error={error} what={t('Could not load crash reports')} onRetry={() => void refetch()} compact />
        ))}
      {data?.length === 0 && (
        <p className={`dim ${css['quiet']}`}>
          {t('No crash reports. Crashes and errors of the app are recorded here and stay on this machine.')}
        </p>
      )}
      {shown?.map((report) => (
        <div key={report.id} className={css['connection']}>
          <div className={css['grow']}>
            <strong>{sources[report.source]}</strong>{' '}
            <span className="dim">
              <TimeAgo at={report.at} />
            </span>
            <div className="clip" title={report.message}>
              {report.message}
            </div>
          </div>
          <Button
            variant="default"
            onClick={() => read(report.id)}
            aria-label={t('Show report: {message}', { message: report.message })}
          >
            {t('View')}
          </Button>
        </div>
      ))}
      {data && data.length > SHOWN && !all && (
        <div className={css['quiet']}>
          <Button variant="subtle" onClick={() => setAll(true)}>
            {tn('Show all {count}', 'Show all {count}', data.length)}
          </Button>
        </div>
      )}
      <Modal
        opened={text !== null}
        onClose={() => setText(null)}
        title={<strong>{t('Crash report')}</strong>}
        size="xl"
      >
        {text !== null && (
          <div className={css['stack']}>
            <Group justify="space-between">
              <span className="dim">{t('Review it before sharing: messages may contain names and URLs.')}</span>
              <CopyButton value={text} label={t('Copy report')} size="md" />
            </Group>
            <pre className={css['lines']} tabIndex={0}>
              {text}
            </pre>
          </div>
        )}
      </Modal>
      {clearing && (
        <ConfirmAction
          opened
          onClose={() => setClearing(false)}
          danger
          title={tn('Delete {count} crash report?', 'Delete {count} crash reports?', data?.length ?? 0)}
          confirmLabel={t('Delete')}
          onConfirm={async () => {
            await callShell('reports:clear', null);
            await refetch();
          }}
        >
          {t('The crash reports on this machine are deleted permanently.')}
        </ConfirmAction>
      )}
    </Section>
  );
}
