import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { deepLink } from '../../lib/console-link.ts';
import type { DesktopBridge, IpcChannel, IpcEvent, IpcEvents, IpcMap, LocalStatus } from '../../contract/ipc.ts';
import { t } from '../../lib/language.ts';

declare global {
  interface Window {
    /** Present in the desktop app only. */
    yardmaster?: DesktopBridge;
  }
}

export const desktop = (): DesktopBridge | null => window.yardmaster ?? null;

/** Where the console keeps what is not the master's, as a sentence goes on with it. */
export const storageLocationText = (): string => (desktop() ? t('on this computer') : t('in this browser'));

/** One request to the shell; its faults become errors that the kit can show. */
export async function callShell<C extends IpcChannel>(
  channel: C,
  argument: IpcMap[C]['argument'],
): Promise<IpcMap[C]['answer']> {
  const bridge = desktop();
  if (!bridge) throw new Error('This works in the desktop app only');
  const outcome = await bridge.call(channel, argument);
  if (outcome.ok) return outcome.value;
  throw Object.assign(new Error(outcome.message), {
    title: t('The desktop app could not complete the action'),
    detail: outcome.message,
    code: outcome.code,
  });
}

export const shellKeys = {
  connections: ['shell', 'connections'] as const,
  local: ['shell', 'local'] as const,
  info: ['shell', 'info'] as const,
  state: ['shell', 'state'] as const,
  updates: ['shell', 'updates'] as const,
  reports: ['shell', 'reports'] as const,
  ports: ['shell', 'ports'] as const,
};
/** What the shell tells when asked, and tells of its own accord when it changes. */
const shellQuery = <K extends keyof typeof shellKeys, C extends IpcChannel>(
  key: K,
  channel: C,
  argument: IpcMap[C]['argument'],
  staleTime = Infinity,
) =>
  queryOptions({
    queryKey: shellKeys[key],
    queryFn: () => callShell(channel, argument),
    enabled: desktop() !== null,
    staleTime,
  });
export const connectionsQuery = () => shellQuery('connections', 'connections:list', null);
export const localStatusQuery = () => shellQuery('local', 'local:status', null);
export const appInfoQuery = () => shellQuery('info', 'app:info', null);
export const desktopStateQuery = () => shellQuery('state', 'desktop:state', null);
export const updatesQuery = () => shellQuery('updates', 'updates:status', null);
export const reportsQuery = () => shellQuery('reports', 'reports:list', null, 0);

/** The ports of the local master, looked at anew with each state that it comes into: who else listens is told by nobody. */
export const localPortsQuery = (status: LocalStatus | undefined) =>
  queryOptions({
    queryKey: [...shellKeys.ports, status?.state, status?.since],
    queryFn: () => callShell('local:ports', null),
    enabled: desktop() !== null && status !== undefined,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });

/** The contexts of a kubeconfig; null: the user's usual one. Asked anew with each form. */
export const contextsQuery = (kubeconfig: string | null) =>
  queryOptions({
    queryKey: ['shell', 'contexts', kubeconfig],
    queryFn: () => callShell('kubernetes:contexts', { kubeconfig }),
    enabled: desktop() !== null,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

/** Address of the master as programs outside reach it; the page's own is none in the desktop app. */
export function useMasterUrl(): string {
  const { data } = useQuery(connectionsQuery());
  return desktop() ? (data?.find((connection) => connection.selected)?.url ?? '') : window.location.origin;
}

/** The link to a path of the console, as it can be given to others: an address of the master, or one that opens the desktop app. */
export function useConsoleLink(): (path: string) => string {
  const { data } = useQuery(connectionsQuery());
  const selected = data?.find((connection) => connection.selected);
  return (path) => (selected ? deepLink(selected, path) : `${window.location.origin}${path}`);
}

/** Listens to the shell while the caller is drawn; nothing in a browser. */
export function useShellEvent<E extends IpcEvent>(event: E, listener: (data: IpcEvents[E]) => void): void {
  useEffect(() => desktop()?.on(event, listener), [event, listener]);
}

/** Keeps what is known of connections and the local master fresh by what the shell tells. */
export function useShellState(): void {
  const client = useQueryClient();
  useEffect(() => {
    const bridge = desktop();
    if (!bridge) return;
    const ends = [
      bridge.on('connections:changed', (connections) => client.setQueryData(shellKeys.connections, connections)),
      bridge.on('updates:changed', (status) => client.setQueryData(shellKeys.updates, status)),
      bridge.on('local:changed', (status) => client.setQueryData(shellKeys.local, status)),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [client]);
}
