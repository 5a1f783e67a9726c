import { useRouter } from '@tanstack/react-router';
import { t } from '../../../../lib/language.ts';
import { callShell } from '../../../stores/desktop.ts';
import type { Cluster } from '../../../stores/fleet.ts';
import { toastFailure } from '../../../ui/toasts.tsx';

/** Goes to a place of a cluster: here, or by switching the window to it. */
export function useOpenCluster(): (cluster: Cluster, path: string) => void {
  const router = useRouter();
  return (cluster, path) => {
    if (cluster.selected) return void router.navigate({ href: path });
    callShell('connections:select', { id: cluster.id, path }).catch(toastFailure(t('Could not switch the connection')));
  };
}
