import type { LocalStatus } from '../../contract/ipc.ts';
import { t } from '../../lib/language.ts';

/** The state of the master of this machine, as it stands within a sentence. */
export function stateLabel(state: LocalStatus['state']): string {
  return {
    off: t('stopped'),
    starting: t('starting'),
    running: t('running'),
    restarting: t('restarting'),
    stopping: t('stopping'),
    failed: t('failed'),
  }[state];
}
