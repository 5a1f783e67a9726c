import { useQuery, useQueryClient } from '@tanstack/react-query';
import { t } from '../../../../lib/language.ts';
import { type BackupProgress, fetchBackup } from '../../../api/backup.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { toastSuccess, toastError } from '../../../ui/toasts.tsx';

export type BackupState =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'running'; cancel(): void } & BackupProgress)
  | { readonly kind: 'done'; readonly name: string }
  | { readonly kind: 'failed'; readonly error: unknown };

const KEY = ['backup', 'own'];
const NONE: BackupState = { kind: 'none' };

/** The backup that this window takes. It goes on, and is saved, where its page is left. */
export function useBackup(): { readonly state: BackupState; take(): Promise<void> } {
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
