import { Progress, Text } from '@mantine/core';
import { IconDatabaseExport } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { t } from '../../../../lib/language.ts';
import { lastBackupQuery, prepareBackup } from '../../../api/backup.ts';
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
import { downloadUrl } from '../../../ui/download-url.ts';
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
            'One verified file with all workflows, versions, jobs, keys, settings and encrypted secrets, created while the master runs. It does not contain logs, metrics, archived jobs or the encryption key for secrets.',
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
        {state.kind === 'running' && <Running />}
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

function Running() {
  return (
    <div>
      <Text size="sm" role="status" mb={4}>
        {t('The master is copying and verifying its database…')}
      </Text>
      <Progress value={100} striped animated aria-label={t('Backup progress')} />
    </div>
  );
}

type BackupState =
  | { readonly kind: 'none' }
  | { readonly kind: 'running' }
  | { readonly kind: 'done'; readonly name: string }
  | { readonly kind: 'failed'; readonly error: unknown };

const KEY = ['backup', 'own'];
const NONE: BackupState = { kind: 'none' };

/** The backup that this window has made. It goes on, and is downloaded, where its page is left. */
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
      set({ kind: 'running' });
      try {
        const { name, href, replaced } = await prepareBackup();
        // The browser writes it to the disk as it comes, and shows how far it is.
        downloadUrl(href, name);
        set({ kind: 'done', name });
        toastSuccess(
          t('Backup created'),
          replaced
            ? t('{name} is being downloaded. It replaces your last backup, which was not downloaded.', { name })
            : t('{name} is being downloaded.', { name }),
        );
      } catch (error) {
        set({ kind: 'failed', error });
        toastError(t('Backup failed'), error);
      }
      await client.invalidateQueries({ queryKey: ['access', 'audit'] });
    },
  };
}
