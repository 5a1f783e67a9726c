import type { Connection } from '../../../../contract/ipc.ts';
import type { KubernetesVia, Via } from '../../../../contract/tunnels.ts';
import { urlsOf } from '../../../shell/frame/connection-place.ts';

/** How a connection reaches its master. */
export type Way = 'url' | Via['kind'];

/** A connection's way as it is typed: what was entered for one stays when another is looked at. */
export interface WayDraft {
  readonly way: Way;
  /** Of the masters; by SSH of the one, as seen from the server. */
  readonly url: string;
  readonly sshUrl: string;
  readonly destination: string;
  readonly port: string;
  readonly kubeconfig: string;
  readonly context: string | null;
  /** Where releases are searched; empty: everywhere. */
  readonly namespace: string;
  readonly release: { readonly namespace: string; readonly name: string } | null;
  readonly access: KubernetesVia['access'];
}

export function wayDraft(connection: Connection | null): WayDraft {
  const via = connection?.via ?? null;
  const ssh = via?.kind === 'ssh' ? via : null;
  const kubernetes = via?.kind === 'kubernetes' ? via : null;
  return {
    way: via?.kind ?? 'url',
    url: connection && via === null ? urlsOf(connection) : 'https://',
    sshUrl: ssh ? (connection?.url ?? '') : 'http://127.0.0.1:8700',
    destination: ssh?.destination ?? '',
    port: ssh?.port ? String(ssh.port) : '',
    kubeconfig: kubernetes?.kubeconfig ?? '',
    context: kubernetes?.context ?? null,
    namespace: kubernetes?.namespace ?? '',
    release: kubernetes ? { namespace: kubernetes.namespace, name: kubernetes.release } : null,
    access: kubernetes?.access ?? 'admin',
  };
}

/** Whether the token is one to enter. */
export const asksForToken = ({ way, access }: WayDraft): boolean => way !== 'kubernetes' || access === 'own';

const isUrl = (text: string): boolean => /^https?:\/\/[^/]/.test(text.trim());
export const isDestination = (text: string): boolean => /^(?!-)[\w.@:[\]-]+$/.test(text.trim());
export const isPort = (text: string): boolean =>
  text === '' || (/^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) <= 65_535);

/** The members of a request that say it, or null while something is missing. */
export function wayOf(draft: WayDraft): { url: string; via: Via | null } | null {
  switch (draft.way) {
    case 'url':
      return draft.url.split(',').every(isUrl) ? { url: draft.url.trim(), via: null } : null;
    case 'ssh':
      return isDestination(draft.destination) && isPort(draft.port) && isUrl(draft.sshUrl)
        ? {
            url: draft.sshUrl.trim(),
            via: {
              kind: 'ssh',
              destination: draft.destination.trim(),
              port: draft.port === '' ? null : Number(draft.port),
            },
          }
        : null;
    case 'kubernetes':
      return draft.context !== null && draft.release !== null
        ? {
            url: '',
            via: {
              kind: 'kubernetes',
              kubeconfig: draft.kubeconfig.trim() === '' ? null : draft.kubeconfig.trim(),
              context: draft.context,
              namespace: draft.release.namespace,
              release: draft.release.name,
              access: draft.access,
            },
          }
        : null;
  }
}
