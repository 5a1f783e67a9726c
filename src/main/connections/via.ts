import type { Via } from '../../contract/tunnels.ts';
import { parseDestination } from '../tunnels/ssh/ssh-command.ts';
import type { Remote } from './saved-connections.ts';

/** Whether its token is one that was entered, and is kept here. */
export const needsToken = (via: Via | null | undefined): boolean => via?.kind !== 'kubernetes' || via.access === 'own';

/** A way in its plain form. */
export function checkVia(via: Via | null | undefined): Via | null {
  if (!via) return null;
  if (via.kind === 'ssh') return { kind: 'ssh', destination: parseDestination(via.destination), port: via.port };
  const kubeconfig = via.kubeconfig === null || via.kubeconfig.trim() === '' ? null : via.kubeconfig.trim();
  return { ...via, kubeconfig };
}

/** Whether the token that is kept was entered for this way. */
export const isTokenOf = (remote: Pick<Remote, 'via'>, via: Via | null): boolean =>
  needsToken(remote.via) && place(remote.via ?? null) === place(via);

const place = (via: Via | null): string =>
  via === null
    ? ''
    : JSON.stringify(
        via.kind === 'ssh' ? [via.destination, via.port] : [via.kubeconfig, via.context, via.namespace, via.release],
      );
