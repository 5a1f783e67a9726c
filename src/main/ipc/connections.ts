import { SYSTEM_ROUTE, type Route } from '../../contract/desktop.ts';
import { LOCAL_CONNECTION, type ConnectionProbe } from '../../contract/ipc.ts';
import { Fault } from '../../lib/fault.ts';
import { t } from '../../lib/language.ts';
import { parseAuthorities, certificateName } from '../connections/certificate-chain.ts';
import { parseMasterOrigin } from '../connections/master-address.ts';
import { probe, type ProbeOptions } from '../connections/probe.ts';
import type { BrowserSignIn } from '../connections/browser-sign-in.ts';
import type { Fleet } from '../connections/fleet.ts';
import { checkRoute, type Connections, type Target, type TunnelSpec } from '../connections/connections.ts';
import type { Confirm } from '../window/confirm-dialog.ts';
import { probeTunnel } from '../tunnels/probe-tunnel.ts';
import { findReleases } from '../tunnels/kubernetes/kubernetes-link.ts';
import { kubeconfigFiles, listContexts } from '../tunnels/kubernetes/kubeconfig.ts';
import type { Agree, Tunnels } from '../tunnels/tunnels.ts';
import { checkVia } from '../connections/via.ts';
import type { ConsoleWindow } from '../window/console-window.ts';
import type { HandlersOf } from './register.ts';

export interface ConnectionDeps {
  connections: Connections;
  tunnels: Tunnels;
  agree: Agree;
  window: ConsoleWindow;
  localTarget(): Target | null;
  /** How a connection by that route is tried. */
  probe(route: Route, authority: string | null): ProbeOptions;
  fleet: Fleet;
  confirm: Confirm;
  signIn: BrowserSignIn;
}

/** What is tried: each address by itself, as the others may not be up. */
interface Probed {
  readonly urls: readonly string[];
  readonly token: string | null;
  readonly route?: Route | undefined;
  readonly tunnel?: TunnelSpec | null;
}

/** The near end of a tunnel is on this machine. */
const TUNNEL_ROUTE: Route = { ca: null, proxy: 'direct' };

/** How long a look at the fleet waits for a tunnel that is being opened. */
const TUNNEL_PATIENCE_MS = 5000;

/** The tunnel of a connection that is still being typed. */
function specOf(asked: Extract<ConnectionProbe, { url: string }>): TunnelSpec | null {
  const via = checkVia(asked.via);
  if (via === null) return null;
  const url = via.kind === 'ssh' ? parseMasterOrigin(asked.url) : '';
  return { via, url, ca: checkRoute({ ca: asked.ca ?? null }).ca ?? null };
}

export function connectionHandlers({
  connections,
  tunnels,
  agree,
  window,
  localTarget,
  probe: options,
  fleet,
  confirm,
  signIn,
}: ConnectionDeps): HandlersOf<'connections' | 'fleet' | 'kubernetes'> {
  const probed = (asked: ConnectionProbe): Probed => {
    if ('url' in asked)
      return {
        urls: asked.url.replace(/[\s,]+$/, '').split(','),
        token: signIn.tokenOf(asked.token, asked.url),
        route: { ...SYSTEM_ROUTE, ...checkRoute(asked) },
        tunnel: specOf(asked),
      };
    if (asked.id === LOCAL_CONNECTION) {
      const target = localTarget();
      if (!target) throw new Fault('MASTER_NOT_RUNNING', 'the local master is not running: start it');
      return { urls: [target.url], token: target.token, route: target.route };
    }
    const saved = connections.list().find((c) => c.id === asked.id);
    const target = connections.target(asked.id);
    const tunnel = connections.tunnel(asked.id);
    return {
      urls: saved ? [saved.url ?? '', ...saved.otherUrls] : [''],
      token: target?.token ?? null,
      route: tunnel ? TUNNEL_ROUTE : target?.route,
      tunnel,
    };
  };
  /** A tunnel that nobody used yet is opened before its cluster is asked. */
  const opened = async (id: string): Promise<void> => {
    const spec = id !== LOCAL_CONNECTION && connections.has(id) ? connections.tunnel(id) : null;
    if (!spec) return;
    tunnels.target(id, spec);
    await tunnels.settled(id, TUNNEL_PATIENCE_MS);
  };
  return {
    'connections:list': () => connections.list(),
    'connections:add': (connection) =>
      connections.add({ ...connection, token: signIn.tokenOf(connection.token, connection.url) }),
    'connections:update': async (change) => {
      const before = connections.list().find(({ id }) => id === change.id);
      if (before?.readOnly && change.readOnly === false) {
        const agreed = await confirm({
          question: t('Allow changes in “{name}”?', { name: before.name }),
          detail: t(
            '{url} is read-only in this app. If you allow changes, this app can kill jobs and publish workflows there.',
            { url: before.url ?? '' },
          ),
          keep: t('Keep read-only'),
          allow: t('Allow changes'),
        });
        if (!agreed) throw new Fault('STAYS_READ_ONLY', `${before.name} stays read-only: not confirmed`);
      }
      if (change.token === undefined) return connections.update(change);
      const urls = change.url ?? [before?.url ?? '', ...(before?.otherUrls ?? [])].join(',');
      return connections.update({ ...change, token: signIn.tokenOf(change.token, urls) });
    },
    'connections:remove': ({ id }) => {
      const shown = connections.selected() === id;
      connections.remove(id);
      if (shown) window.show(LOCAL_CONNECTION, '/');
      return null;
    },
    'connections:test': async (asked) => {
      const { urls, token, route = SYSTEM_ROUTE, tunnel = null } = probed(asked);
      if (tunnel)
        return probeTunnel(tunnel, token, {
          agree,
          master: (url, given) => probe(url, given || null, options(TUNNEL_ROUTE, null)),
        });
      const authority = route.ca === null ? null : parseAuthorities(route.ca).map(certificateName).join(', ');
      const reports = await Promise.all(
        urls.map((url) => probe(url.trim().replace(/\/$/, ''), token || null, options(route, authority))),
      );
      return {
        ok: reports.every(({ ok }) => ok),
        steps: reports.flatMap(({ steps }) => steps),
        version: reports.find(({ version }) => version !== null)?.version ?? null,
      };
    },
    'connections:sign-in': ({ url, ...asked }) => {
      const route: Route = { ...SYSTEM_ROUTE, ...checkRoute(asked) };
      return signIn.begin(url, options(route, null).fetch);
    },
    'connections:signed-in': async ({ ticket }) => {
      await signIn.done(ticket);
      return null;
    },
    'connections:reconnect': ({ id }) => {
      const spec = connections.tunnel(id);
      if (spec) tunnels.retry(id, spec);
      return null;
    },
    'kubernetes:contexts': ({ kubeconfig }) => listContexts(kubeconfigFiles(kubeconfig)),
    'kubernetes:releases': ({ kubeconfig, context, namespace }) =>
      findReleases({ via: { kubeconfig, context }, agreed: (command, file) => agree(command, file, true) }, namespace),
    'connections:select': ({ id, path }) => {
      connections.select(id);
      window.show(id, path ?? '/');
      return null;
    },
    'fleet:status': async ({ id }) => {
      await opened(id);
      return fleet.look(id);
    },
    'fleet:search': async ({ id, text }) => {
      await opened(id);
      return fleet.search(id, text);
    },
  };
}
