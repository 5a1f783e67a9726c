import type { Via } from '../../contract/tunnels.ts';
import type { Unavailable } from '../console/scheme.ts';
import type { Connections, Target, TunnelSpec } from './connections.ts';
import { needsToken } from './via.ts';

export const TOKEN_LOST = 'its token was not saved: enter it in Settings, Connections';

/** Requests to a connection behind a tunnel: its near end, and the token of the release or the one that was entered. */
export function tunnelTarget(
  open: { readonly url: string; readonly token: string | null } | { unavailable: string },
  connections: Connections,
  id: string,
): Target | Unavailable {
  const kept = connections.target(id);
  const via = connections.tunnel(id)?.via ?? null;
  if (needsToken(via) && kept === null) return { unavailable: TOKEN_LOST };
  if ('unavailable' in open) return { ...open, tunnel: true };
  const token = open.token ?? kept?.token;
  if (token === undefined) return { unavailable: TOKEN_LOST };
  return {
    url: open.url,
    shown: shownVia(via),
    token,
    ...(connections.isReadOnly(id) ? { readOnly: true } : {}),
    // The near end is on this machine.
    route: { ca: null, proxy: 'direct' },
  };
}

/** A way as messages name it. */
const shownVia = (via: Via | null): string =>
  via === null
    ? ''
    : via.kind === 'ssh'
      ? `the master behind ${via.destination}`
      : `the release ${via.namespace}/${via.release} of the context ${via.context}`;

export function tunnelSpecs(connections: Connections): ReadonlyMap<string, TunnelSpec> {
  return new Map(
    connections.list().flatMap(({ id, via }) => {
      const spec = via === null ? null : connections.tunnel(id);
      return spec === null ? [] : [[id, spec] as const];
    }),
  );
}
