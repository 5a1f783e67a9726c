import { useQuery } from '@tanstack/react-query';
import type { DesktopBridge } from '../../../../contract/ipc.ts';

/** Where clients reach the master that this window shows: its own origin in a browser, the connection's address in the desktop app. */
export function useMasterUrl(): string {
  const desktop = (window as { yardmaster?: DesktopBridge }).yardmaster;
  const { data } = useQuery({
    queryKey: ['desktop', 'master-url'],
    queryFn: async () => {
      const outcome = await desktop?.call('connections:list', null);
      return outcome?.ok ? (outcome.value.find((connection) => connection.selected)?.url ?? null) : null;
    },
    enabled: desktop !== undefined,
  });
  return desktop === undefined ? window.location.origin : (data ?? '');
}
