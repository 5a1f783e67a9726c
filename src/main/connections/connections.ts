import { createHash, randomBytes } from 'node:crypto';
import { SYSTEM_ROUTE, type Route } from '../../contract/desktop.ts';
import { LOCAL_CONNECTION, type Connection, type ConnectionChange, type NewConnection } from '../../contract/ipc.ts';
import type { TunnelStatus, Via } from '../../contract/tunnels.ts';
import { Fault } from '../../lib/fault.ts';
import { t } from '../../lib/language.ts';
import { parseMasterOrigins } from './master-address.ts';
import { parseAuthorities, certificateName } from './certificate-chain.ts';
import { parseProxy } from './proxy-address.ts';
import { readConnections, writeConnections, type Remote } from './saved-connections.ts';
import type { TokenStorage } from './token-storage.ts';
import type { MasterVersion } from './master-versions.ts';
import { checkVia, isTokenOf, needsToken } from './via.ts';

/** Where a request of the console goes. */
export interface Target {
  url: string;
  /** What people call it, where its address is only the near end of a tunnel. */
  shown?: string;
  /** Further masters of the same cluster. */
  others?: readonly string[];
  token: string;
  /** Nothing that changes anything is handed on. */
  readOnly?: boolean;
  /** How requests travel there; left out: by the system's authorities and proxy. */
  route?: Route;
}

export const addressesOf = ({ url, others = [] }: Pick<Target, 'url' | 'others'>): string[] => [url, ...others];

/** What a connection's tunnel is made of. */
export interface TunnelSpec {
  via: Via;
  /** Of the master, as seen from the far end; empty where the release tells. */
  url: string;
  ca: string | null;
}

export interface Connections {
  list(): Connection[];
  selected(): string;
  has(id: string): boolean;
  add(connection: NewConnection): Connection;
  update(change: ConnectionChange): Connection;
  remove(id: string): void;
  select(id: string): void;
  /** Null: a remote whose token is not known in this run. The local one is not asked here, and no tunnel. */
  target(id: string): Target | null;
  /** Null: it goes by its address alone. */
  tunnel(id: string): TunnelSpec | null;
  isReadOnly(id: string): boolean;
  /** Commands of kubeconfigs that the user agreed to. */
  isAgreed(command: string): boolean;
  agree(command: string): void;
  /** Why some of what was kept could not be read; null: all was. */
  damage(): string | null;
  onChange(listener: () => void): void;
}

/** More nobody looks through, and each is asked for its state. */
const MAX_CONNECTIONS = 200;

/** The clusters of the switcher, kept in `file`; tokens that may not be kept live in this object alone. `versionOf` says what was last heard of a master. */
export function createConnections(
  file: string,
  secrets: TokenStorage,
  localUrl: () => string | null,
  versionOf: (url: string) => MasterVersion | null = () => null,
  tunnelOf: (id: string) => { status: TunnelStatus; url: string | null } | null = () => null,
): Connections {
  const { saved, damage } = readConnections(file);
  const session = new Map<string, string>();
  const listeners: (() => void)[] = [];

  const find = (id: string): Remote => {
    const remote = saved.remotes.find((r) => r.id === id);
    if (!remote) throw new Fault('CONNECTION_NOT_FOUND', `connection "${id}" not found: it may have been removed`);
    return remote;
  };
  const keepToken = (remote: Remote, token: string, allowPlain: boolean) => {
    remote.secret = secrets.encrypt(token, allowPlain);
    session.set(remote.id, token);
  };
  const changed = () => {
    writeConnections(file, saved);
    for (const listener of listeners) listener();
  };
  const lastVersion = (url: string | null) => (url === null ? null : versionOf(url)) ?? { version: null, skew: null };
  const show = (remote: Remote): Connection => ({
    id: remote.id,
    name: remote.name,
    kind: 'remote',
    url: remote.url === '' ? null : remote.url,
    via: remote.via ?? null,
    tunnel: remote.via ? (tunnelOf(remote.id)?.status ?? NOT_OPENED) : null,
    otherUrls: remote.others ?? [],
    colour: remote.colour,
    production: remote.production ?? false,
    readOnly: remote.readOnly ?? false,
    authority: remote.ca ? namesIn(remote.ca) : null,
    proxy: remote.proxy ?? SYSTEM_ROUTE.proxy,
    ...lastVersion(remote.via ? (tunnelOf(remote.id)?.url ?? null) : remote.url),
    tokenKept: needsToken(remote.via)
      ? (remote.secret?.kind ?? (session.has(remote.id) ? 'session' : 'none'))
      : 'cluster',
    selected: saved.selected === remote.id,
  });

  return {
    list: () => [
      {
        id: LOCAL_CONNECTION,
        name: t('This machine'),
        kind: 'local',
        url: localUrl(),
        via: null,
        tunnel: null,
        otherUrls: [],
        colour: null,
        production: false,
        readOnly: false,
        authority: null,
        proxy: SYSTEM_ROUTE.proxy,
        ...lastVersion(localUrl()),
        tokenKept: 'session',
        selected: saved.selected === LOCAL_CONNECTION,
      },
      ...saved.remotes.map(show),
    ],
    selected: () => saved.selected,
    has: (id) => id === LOCAL_CONNECTION || saved.remotes.some((r) => r.id === id),
    add({ name, url, token, via: asked, colour, production, readOnly, allowPlain, ca, proxy }) {
      if (saved.remotes.length >= MAX_CONNECTIONS)
        throw new Fault(
          'TOO_MANY_CONNECTIONS',
          `the maximum of ${MAX_CONNECTIONS} connections is reached: remove one first`,
        );
      const via = checkVia(asked);
      const [origin = '', ...others] = originsOf(via, url);
      if (token === '' && needsToken(via)) throw new Fault('TOKEN_NEEDED', 'no token: enter one');
      const remote: Remote = {
        id: `c${randomBytes(6).toString('hex')}`,
        name,
        url: origin,
        others,
        via,
        colour,
        production,
        readOnly,
        ...checkRoute({ ca, proxy }),
        secret: null,
      };
      if (needsToken(via)) keepToken(remote, token, allowPlain);
      saved.remotes.push(remote);
      changed();
      return show(remote);
    },
    update({ id, name, url, token, via: asked, colour, production, readOnly, allowPlain, ca, proxy }) {
      const remote = find(id);
      const via = asked === undefined ? (remote.via ?? null) : checkVia(asked);
      const origins = url === undefined ? addressesOf(remote) : originsOf(via, url);
      const given = token === '' ? undefined : token;
      // Nor does it go to another cluster or server.
      if (needsToken(via) && given === undefined && !isTokenOf(remote, via))
        throw new Fault('TOKEN_NEEDED', 'the connection goes another way: enter the token too');
      // A token belongs to the host that it was given for: it never follows to another one.
      const added = origins.filter((origin) => !addressesOf(remote).includes(origin));
      if (added.length > 0 && needsToken(via) && given === undefined)
        throw new Fault('TOKEN_NEEDED', `the URL changes to ${added.join(', ')}: enter its token too`);
      const route = checkRoute({ ca, proxy });
      // Nor does it travel by another way, or to whom another authority vouches for, unless it is given anew.
      const turned =
        (route.ca !== undefined && route.ca !== (remote.ca ?? null)) ||
        (route.proxy !== undefined && route.proxy !== (remote.proxy ?? SYSTEM_ROUTE.proxy));
      if (turned && needsToken(via) && given === undefined)
        throw new Fault('TOKEN_NEEDED', 'the CA or proxy changes: enter the token again');
      [remote.url = '', ...remote.others] = origins;
      remote.via = via;
      Object.assign(remote, route);
      if (name !== undefined) remote.name = name;
      if (colour !== undefined) remote.colour = colour;
      if (production !== undefined) remote.production = production;
      if (readOnly !== undefined) remote.readOnly = readOnly;
      if (!needsToken(via)) {
        remote.secret = null;
        session.delete(id);
      } else if (given !== undefined) keepToken(remote, given, allowPlain ?? false);
      changed();
      return show(remote);
    },
    remove(id) {
      if (id === LOCAL_CONNECTION)
        throw new Fault('CONNECTION_LOCAL', "the connection to this machine can't be removed");
      find(id);
      saved.remotes = saved.remotes.filter((r) => r.id !== id);
      session.delete(id);
      if (saved.selected === id) saved.selected = LOCAL_CONNECTION;
      changed();
    },
    select(id) {
      if (id !== LOCAL_CONNECTION) find(id);
      saved.selected = id;
      changed();
    },
    target(id) {
      const remote = find(id);
      const token = session.get(id) ?? (remote.secret ? secrets.decrypt(remote.secret) : null);
      if (token !== null) session.set(id, token);
      return token === null
        ? null
        : {
            url: remote.url,
            ...(remote.others && { others: remote.others }),
            token,
            ...(remote.readOnly ? { readOnly: true } : {}),
            route: { ca: remote.ca ?? null, proxy: remote.proxy ?? SYSTEM_ROUTE.proxy },
          };
    },
    tunnel(id) {
      const { via, url, ca } = find(id);
      return via ? { via, url, ca: ca ?? null } : null;
    },
    isReadOnly: (id) => find(id).readOnly ?? false,
    isAgreed: (command) => (saved.commands ?? []).includes(digest(command)),
    agree(command) {
      saved.commands = [...(saved.commands ?? []).filter((one) => one !== digest(command)), digest(command)].slice(
        -MAX_COMMANDS,
      );
      changed();
    },
    damage: () => damage,
    onChange: (listener) => void listeners.push(listener),
  };
}

const NOT_OPENED: TunnelStatus = { state: 'idle', message: null, through: null };
const MAX_COMMANDS = 200;
/** A command may hold more than everybody should read. */
const digest = (command: string): string => createHash('sha256').update(command).digest('hex');

/** None in Kubernetes, where the release tells; one behind SSH. */
function originsOf(via: Via | null, url: string): string[] {
  if (via?.kind === 'kubernetes') return [''];
  const origins = parseMasterOrigins(url);
  if (via?.kind === 'ssh' && origins.length > 1)
    throw new Fault('ADDRESS_INVALID', 'expected one URL, as seen from the SSH server');
  return origins;
}

function namesIn(ca: string): string {
  try {
    return parseAuthorities(ca).map(certificateName).join(', ');
  } catch {
    return 'unreadable certificate';
  }
}

/** What of a route is given, checked and in its plain form. An empty text of authorities is none. */
export function checkRoute({
  ca,
  proxy,
}: {
  ca?: string | null | undefined;
  proxy?: string | undefined;
}): Partial<Route> {
  const own = ca === undefined || ca === null || ca.trim() === '' ? null : ca.trim();
  if (own !== null) parseAuthorities(own);
  return { ...(ca === undefined ? {} : { ca: own }), ...(proxy === undefined ? {} : { proxy: parseProxy(proxy) }) };
}
