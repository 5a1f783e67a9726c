import type { ClusterStatus } from '../../contract/desktop.ts';
import type { LocalStatus } from '../../contract/ipc.ts';
import { t, tn } from '../../lib/language.ts';
import { stateLabel } from '../local-master/state-label.ts';

export type TrayIconName = 'off' | 'idle' | 'running' | 'failing';

/** What the tray says about the shown cluster. */
export interface TrayState {
  icon: TrayIconName;
  tooltip: string;
  /** Lines at the top of the menu, each leading to a page. */
  lines: { label: string; path: string }[];
}

/** `name` is that of the connection; `local` stands for the master of this machine where that one is shown, else null. */
export function trayState(name: string, look: ClusterStatus | null, local: LocalStatus | null): TrayState {
  if (!look?.facts) {
    const why = local && local.state !== 'running' ? masterLabel(local.state) : (look?.message ?? t('connecting…'));
    return {
      icon: 'off',
      tooltip: short(`Yardmaster, ${name}: ${why}`),
      lines: [{ label: `${name}: ${why}`, path: '/' }],
    };
  }
  const { runningJobs, failedLastHour, alertsFiring, queued } = look.facts;
  const running = tn('{count} job running', '{count} jobs running', runningJobs);
  const waiting = tn('{count} task waiting', '{count} tasks waiting', queued);
  const failed = tn('{count} failed in the last hour', '{count} failed in the last hour', failedLastHour);
  const alerts = tn('{count} alert firing', '{count} alerts firing', alertsFiring);
  return {
    icon: alertsFiring > 0 || failedLastHour > 0 ? 'failing' : runningJobs > 0 ? 'running' : 'idle',
    tooltip: short(`Yardmaster, ${name}: ${running}, ${failed}, ${alerts}`),
    lines: [
      { label: `${running}, ${waiting}`, path: '/jobs' },
      { label: failed, path: '/failures' },
      { label: alerts, path: '/alerts' },
    ],
  };
}

/** Windows cuts a tooltip at 127 characters. */
const short = (text: string): string => text.slice(0, 127);

const masterLabel = (state: LocalStatus['state']): string =>
  state === 'failed'
    ? t('the local master failed to start')
    : t('the local master is {state}', { state: stateLabel(state) });
