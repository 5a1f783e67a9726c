import { Button, Group, Progress, Text } from '@mantine/core';
import { IconDatabaseExport } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { t } from '../../../../lib/language.ts';
import { lastBackupQuery, type BackupProgress, fetchBackup } from '../../../api/backup.ts';
import { useWhy } from '../../../stores/role.ts';
import { CommandLine } from '../../../ui/CommandLine.tsx';
import { formatBytes } from '../../../ui/Duration.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Facts } from '../../../ui/Field.tsx';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { Section } from '../../../ui/Segment.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { rich } from '../../../ui/rich.tsx';
import css from '../shared/Settings.module.css';
import { saveFile } from '../../../ui/save-file.ts';
import { toastSuccess, toastError } from '../../../ui/toasts.tsx';

/** Takes a backup of the master while it works, and says how it is restored. */
export function Backup() {
  const whyAdmin = useWhy('settings.manage');
  const { state, take } = useBackup();
  const { data: last } = useQuery(lastBackupQuery());
  const file = state.kind === 'done' ? state.name : t('FILE');
  return (
    <Section
      title={t('Backup')}
      actions={
        <ReasonButton
          variant="default"
          leftSection={<IconDatabaseExport size={15} aria-hidden />}
          reason={whyAdmin ?? (state.kind === 'running' ? t('A backup is already running') : null)}
          onClick={() => void take()}
        >
          {t('Back up now')}
        </ReasonButton>
      }
    >
      <div className={css['stack']}>
        <p>
          {t(
            'One verified file with all workflows, versions, jobs, keys, settings and encrypted secrets, created while the master runs. It does not contain the encryption key for secrets, logs, metrics or archived jobs.',
          )}
        </p>
        <Facts
          items={[
            {
              label: t('Last backup'),
              wide: last === null,
              value:
                last === undefined
                  ? '–'
                  : last === null
                    ? t('Never')
                    : rich('{timeAgo} by {decidedBy}', {
                        timeAgo: <TimeAgo at={last.at} />,
                        decidedBy: <bdi>{last.by}</bdi>,
                      }),
            },
            last !== null && { label: t('Backup size'), value: last ? formatBytes(last.bytes) : '–' },
            state.kind === 'done' && {
              label: t('File name'),
              wide: true,
              value: <span className="mono">{state.name}</span>,
            },
          ]}
        />
        {state.kind === 'running' && <Running {...state} />}
        {state.kind === 'failed' && (
          <ErrorState compact what={t('Backup failed')} error={state.error} onRetry={() => void take()} />
        )}
        <CommandLine
          label={t('Restore it into a new data folder and start a master there')}
          command={`yardmaster restore ${file} --data ${t('NEW-FOLDER')}\nyardmaster master --data ${t('NEW-FOLDER')}`}
        />
      </div>
    </Section>
  );
}

function Running({ received, total, cancel }: { received: number | null; total: number | null; cancel(): void }) {
  const share = received === null || total === null ? null : (received / total) * 100;
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" role="status">
          {received === null
            ? t('The master is copying and verifying its database…')
            : total === null
              ? t('{received} received', { received: formatBytes(received) })
              : t('{received} of {total} received', { received: formatBytes(received), total: formatBytes(total) })}
        </Text>
        {received !== null && (
          <Button size="compact-xs" variant="default" onClick={cancel}>
            {t('Cancel')}
          </Button>
        )}
      </Group>
      <Progress
        value={share ?? 100}
        striped={share === null}
        animated={share === null}
        aria-label={t('Backup progress')}
      />
    </div>
  );
}

type BackupState =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'running'; cancel(): void } & BackupProgress)
  | { readonly kind: 'done'; readonly name: string }
  | { readonly kind: 'failed'; readonly error: unknown };

const KEY = ['backup', 'own'];
const NONE: BackupState = { kind: 'none' };

/** The backup that this window takes. It goes on, and is saved, where its page is left. */
function useBackup(): { readonly state: BackupState; take(): Promise<void> } {
  const client = useQueryClient();
  const { data: state = NONE } = useQuery<BackupState>({
    queryKey: KEY,
    queryFn: () => NONE,
    enabled: false,
    gcTime: Infinity,
    staleTime: Infinity,
  });
  const set = (next: BackupState): void => void client.setQueryData<BackupState>(KEY, next);
  return {
    state,
    async take() {
      const stop = new AbortController();
      try {
        const { name, file } = await fetchBackup(
          (progress) => set({ kind: 'running', cancel: () => stop.abort(), ...progress }),
          stop.signal,
        );
        saveFile(name, 'application/octet-stream', file);
        set({ kind: 'done', name });
        toastSuccess(t('Backup downloaded'), name);
      } catch (error) {
        set(stop.signal.aborted ? NONE : { kind: 'failed', error });
        if (!stop.signal.aborted) toastError(t('Backup failed'), error);
      }
      await client.invalidateQueries({ queryKey: ['access', 'audit'] });
    },
  };
}
