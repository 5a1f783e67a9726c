import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { t, tn } from '../../../../lib/language.ts';
import { settingsQuery } from '../../../api/overview.ts';
import { appInfoQuery, callShell, desktop, reportsQuery } from '../../../stores/desktop.ts';
import { Facts } from '../../../ui/Field.tsx';
import { Section } from '../../../ui/Segment.tsx';
import { StoreFact } from '../../../ui/StoreFact.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { Button, Group, Modal } from '@mantine/core';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { toastFailure } from '../../../ui/toasts.tsx';
import css from '../shared/Settings.module.css';
import { useConfirm } from '../../../ui/ConfirmAction.tsx';
import { Loading } from '../../../ui/Loading.tsx';

const EVERY_MS = 10_000;
const OTLP_LABELS = {
  traces: t('Traces, exported to'),
  metrics: t('Metrics, exported to'),
  logs: t('Log lines, exported to'),
} as const;

export function AboutTab(): ReactNode {
  // What it says of stores elsewhere changes by itself.
  const { data, error, refetch } = useQuery({ ...settingsQuery(), staleTime: EVERY_MS, refetchInterval: EVERY_MS });
  const { data: app } = useQuery(appInfoQuery());
  if (data === undefined) return <Loading query={{ error, refetch }} what={t('Could not load settings')} lines={8} />;
  const port = (value: number | null) => (value === null ? t('disabled') : <span className="mono">{value}</span>);
  return (
    <>
      <Section title={t('Master')}>
        <Facts
          items={[
            { label: t('Version'), value: data.version },
            { label: t('Started'), value: <TimeAgo at={data.startedAt} /> },
            { label: t('Node.js version'), value: data.node },
            { label: t('Store'), value: `${data.store}, durability ${data.durability}` },
            { label: t('Data folder'), value: <span className="mono">{data.dataFolder}</span> },
            { label: t('API and console port'), value: port(data.ports.master) },
            { label: t('Log pipeline port'), value: port(data.ports.logstash) },
            { label: t('Log store port'), value: port(data.ports.logStore) },
            { label: t('Metrics store port'), value: port(data.ports.metrics) },
            ...(app
              ? [{ label: t('Desktop app'), value: `${app.name} ${app.version}, Electron ${app.electron}` }]
              : []),
          ]}
        />
      </Section>
      <Section title={t('Logs and metrics')}>
        <Facts
          columns={3}
          items={[
            { label: t('Log lines'), value: <StoreFact store={data.logs} /> },
            { label: t('Metrics'), value: <StoreFact store={data.metrics} /> },
            data.remoteWrite !== null && {
              label: t('Metrics, also sent to'),
              value: <StoreFact store={data.remoteWrite} />,
            },
            ...(data.otlp ?? []).map(({ signal, target }) => ({
              label: OTLP_LABELS[signal],
              value: <StoreFact store={target} />,
            })),
          ]}
        />
        {data.logs.kind === 'victorialogs' && <RemoteLogsNote />}
      </Section>
      <CrashReports />
    </>
  );
}

/** What log lines in VictoriaLogs do not do that those of the master itself do (docs/victorialogs.md). */
const RemoteLogsNote = (): ReactNode => (
  <p className="dim">
    {t(
      'With VictoriaLogs, new lines appear after about 2 s, numbers in records are text, and counts may include lines twice that were sent again. Retention, damage and backups are its own; size and age limits of the log store have no effect.',
    )}
  </p>
);

const SHOWN = 8;

/** Crashes and uncaught errors of the desktop app, on this machine alone. Nothing in a browser. */
function CrashReports(): ReactNode {
  const { data, error, refetch } = useQuery(reportsQuery());
  const [text, setText] = useState<string | null>(null);
  const [all, setAll] = useState(false);
  const { ask, dialog } = useConfirm();
  if (!desktop()) return null;
  const sources = {
    app: t('App'),
    window: t('Window'),
    page: t('Page'),
    helper: t('Helper process'),
    master: t('Local master'),
  } as const;
  const read = (id: string) =>
    void callShell('reports:read', { id }).then(setText, toastFailure(t('Could not load the report')));
  const clear = () =>
    ask({
      danger: true,
      title: tn('Delete {count} crash report?', 'Delete {count} crash reports?', data?.length ?? 0),
      confirmLabel: t('Delete'),
      text: t('The crash reports on this machine are deleted permanently.'),
      async run() {
        await callShell('reports:clear', null);
        await refetch();
      },
    });
  const showFolder = () => void callShell('reports:show', null).catch(toastFailure(t('Could not open the folder')));
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
          <Button variant="default" disabled={!data?.length} onClick={clear}>
            {t('Delete all')}
          </Button>
        </Group>
      }
    >
      {data === undefined && (
        <Loading query={{ error, refetch }} what={t('Could not load crash reports')} lines={3} compact />
      )}
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
      {dialog}
    </Section>
  );
}
