import { SYSTEM_ROUTE, type Route } from '../../contract/desktop.ts';
import { LOCAL_CONNECTION, type ConnectionProbe } from '../../contract/ipc.ts';
import { Fault } from '../../lib/fault.ts';
import { t } from '../../lib/language.ts';
import { parseAuthorities, certificateName } from '../connections/certificate-chain.ts';
import { probe, type ProbeOptions } from '../connections/probe.ts';
import type { Fleet } from '../connections/fleet.ts';
import { checkRoute, type Connections, type Target } from '../connections/connections.ts';
import type { Confirm } from '../window/confirm-dialog.ts';
import type { ConsoleWindow } from '../window/console-window.ts';
import type { HandlersOf } from './register.ts';

export interface ConnectionDeps {
  connections: Connections;
  window: ConsoleWindow;
  localTarget(): Target | null;
  /** How a connection by that route is tried. */
  probe(route: Route, authority: string | null): ProbeOptions;
  fleet: Fleet;
  confirm: Confirm;
}

export function connectionHandlers({
  connections,
  window,
  localTarget,
  probe: options,
  fleet,
  confirm,
}: ConnectionDeps): HandlersOf<'connections' | 'fleet'> {
  const probed = (asked: ConnectionProbe): { url: string; token: string | null; route?: Route | undefined } => {
    if ('url' in asked) return { ...asked, route: { ...SYSTEM_ROUTE, ...checkRoute(asked) } };
    if (asked.id === LOCAL_CONNECTION) {
      const target = localTarget();
      if (!target) throw new Fault('MASTER_NOT_RUNNING', 'the local master is not running: start it');
      return target;
    }
    const saved = connections.list().find((c) => c.id === asked.id);
    const target = connections.target(asked.id);
    return { url: saved?.url ?? '', token: target?.token ?? null, route: target?.route };
  };
  return {
    'connections:list': () => connections.list(),
    'connections:add': (connection) => connections.add(connection),
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
      return connections.update(change);
    },
    'connections:remove': ({ id }) => {
      const shown = connections.selected() === id;
      connections.remove(id);
      if (shown) window.show(LOCAL_CONNECTION, '/');
      return null;
    },
    'connections:test': (asked) => {
      const { url, token, route = SYSTEM_ROUTE } = probed(asked);
      const authority = route.ca === null ? null : parseAuthorities(route.ca).map(certificateName).join(', ');
      return probe(url.trim().replace(/\/$/, ''), token || null, options(route, authority));
    },
    'connections:select': ({ id, path }) => {
      connections.select(id);
      window.show(id, path ?? '/');
      return null;
    },
    'fleet:status': ({ id }) => fleet.look(id),
    'fleet:search': ({ id, text }) => fleet.search(id, text),
  };
}
