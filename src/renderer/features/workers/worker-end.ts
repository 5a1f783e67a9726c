import type { Worker, WorkerEnd } from '../../../contract/workers.ts';
import { t } from '../../../lib/language.ts';

/** It stopped in order, or another one took its place: nothing has to be done about it. */
export const isPast = ({ state, ended, replacedBy }: Pick<Worker, 'state' | 'ended' | 'replacedBy'>): boolean =>
  state === 'Down' && (ended?.reason === 'stopped' || (replacedBy ?? null) !== null);

/** `SIGKILL` or `exit code 1`; null: it is not known. */
export function exitText({ exitCode, signal }: Pick<WorkerEnd, 'exitCode' | 'signal'>): string | null {
  if (signal !== null) return signal;
  return exitCode === null ? null : t('exit code {code}', { code: exitCode });
}
