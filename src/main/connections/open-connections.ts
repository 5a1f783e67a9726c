import { app } from 'electron';
import { LOCAL_CONNECTION } from '../../contract/ipc.ts';
import { pathTo } from '../../lib/api-client.ts';
import type { LocalMaster } from '../local-master/local-master.ts';
import { createTunnels } from '../tunnels/tunnels.ts';
import { showConfirmDialog } from '../window/confirm-dialog.ts';
import { createAgreement } from './agreement.ts';
import { createConnections } from './connections.ts';
import type { FleetDeps } from './fleet.ts';
import { createMasterVersions } from './master-versions.ts';
import { createNetwork } from './network.ts';
import { createReach } from './reach.ts';
import { readJsonBody, textMember } from './read-response.ts';
import { systemTokenStorage } from './token-storage.ts';
import { TOKEN_LOST, tunnelTarget } from './tunnel-target.ts';

/** How long a master may take to tell its version. */
const VERSION_PATIENCE_MS = 5000;

/** The saved connections, and the ways to their masters: by the network, or through a tunnel. */
export function openConnections(file: string, local: Pick<LocalMaster, 'status' | 'target'>) {
  const network = createNetwork();
  const reach = createReach(network.fetch);
  const versions = createMasterVersions(
    app.getVersion(),
    async (target) => {
      const answer = await reach.fetch(target, target.url + pathTo('settings.get'), {
        headers: { authorization: `Bearer ${target.token}` },
        redirect: 'manual',
        signal: AbortSignal.timeout(VERSION_PATIENCE_MS),
      });
      return textMember(answer.ok ? await readJsonBody(answer) : await answer.body?.cancel(), 'version');
    },
    Date.now,
  );
  const tokenStorage = systemTokenStorage();
  const connections = createConnections(
    file,
    tokenStorage,
    () => local.status().url,
    versions.known,
    (id) => tunnels.known(id),
  );
  const agree = createAgreement(connections, showConfirmDialog);
  const tunnels = createTunnels(agree);

  /** Where the requests of a connection go, or why they go nowhere now; null: there is no such connection. */
  const targetOf: FleetDeps['target'] = (id) => {
    if (!connections.has(id)) return null;
    if (id === LOCAL_CONNECTION)
      return (
        local.target() ?? {
          unavailable: local.status().message ?? `the local master is ${local.status().state}`,
        }
      );
    const spec = connections.tunnel(id);
    if (spec) return tunnelTarget(tunnels.target(id, spec), connections, id);
    return connections.target(id) ?? { unavailable: TOKEN_LOST };
  };
  const fleetDeps: FleetDeps = { fetch: reach.fetch, target: targetOf, since: () => performance.now() };
  return { network, reach, versions, tokenStorage, connections, agree, tunnels, targetOf, fleetDeps };
}
