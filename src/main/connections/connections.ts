import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { SYSTEM_ROUTE, type Route } from '../../contract/desktop.ts';
import { LOCAL_CONNECTION, type Connection, type ConnectionChange, type NewConnection } from '../../contract/ipc.ts';
import { Fault } from '../../lib/fault.ts';
import { t } from '../../lib/language.ts';
import { parseMasterOrigin, parseMasterOrigins } from './master-address.ts';
import { parseAuthorities, certificateName } from './certificate-chain.ts';
import { parseProxy } from './proxy-address.ts';
import type { StoredToken, TokenStorage } from './token-storage.ts';
import type { MasterVersion } from './master-versions.ts';

interface Remote {
  id: string;
  name: string;
  url: string;
  /** Absent in files of earlier versions, and where there are none. */
  others?: string[];
  colour: string | null;
  /** Both absent in files of earlier versions. */
  production?: boolean;
  readOnly?: boolean;
  ca?: string | null;
  proxy?: string;
  secret: StoredToken | null;
}
interface Saved {
  version: 1;
  selected: string;
  remotes: Remote[];
}

/** Where a request of the console goes. */
export interface Target {
  url: string;
  /** Further masters of the same cluster. */
  others?: readonly string[];
  token: string;
  /** Nothing that changes anything is handed on. */
  readOnly?: boolean;
  /** How requests travel there; left out: by the system's authorities and proxy. */
  route?: Route;
}

export const addressesOf = ({ url, others = [] }: Pick<Target, 'url' | 'others'>): string[] => [url, ...others];

export interface Connections {
  list(): Connection[];
  selected(): string;
  has(id: string): boolean;
  add(connection: NewConnection): Connection;
  update(change: ConnectionChange): Connection;
  remove(id: string): void;
  select(id: string): void;
  /** Null: a remote whose token is not known in this run. The local one is not asked here. */
  target(id: string): Target | null;
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
): Connections {
  const saved = read(file);
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
    write(file, saved);
    for (const listener of listeners) listener();
  };
  const lastVersion = (url: string | null) => (url === null ? null : versionOf(url)) ?? { version: null, skew: null };
  const show = (remote: Remote): Connection => ({
    id: remote.id,
    name: remote.name,
    kind: 'remote',
    url: remote.url,
    otherUrls: remote.others ?? [],
    colour: remote.colour,
    production: remote.production ?? false,
    readOnly: remote.readOnly ?? false,
    authority: remote.ca ? namesIn(remote.ca) : null,
    proxy: remote.proxy ?? SYSTEM_ROUTE.proxy,
    ...lastVersion(remote.url),
    tokenKept: remote.secret?.kind ?? (session.has(remote.id) ? 'session' : 'none'),
    selected: saved.selected === remote.id,
  });

  return {
    list: () => [
      {
        id: LOCAL_CONNECTION,
        name: t('This machine'),
        kind: 'local',
        url: localUrl(),
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
    add({ name, url, token, colour, production, readOnly, allowPlain, ca, proxy }) {
      if (saved.remotes.length >= MAX_CONNECTIONS)
        throw new Fault(
          'TOO_MANY_CONNECTIONS',
          `the maximum of ${MAX_CONNECTIONS} connections is reached: remove one first`,
        );
      const [origin, ...others] = parseMasterOrigins(url);
      const remote: Remote = {
        id: `c${randomBytes(6).toString('hex')}`,
        name,
        url: origin,
        others,
        colour,
        production,
        readOnly,
        ...checkRoute({ ca, proxy }),
        secret: null,
      };
      keepToken(remote, token, allowPlain);
      saved.remotes.push(remote);
      changed();
      return show(remote);
    },
    update({ id, name, url, token, colour, production, readOnly, allowPlain, ca, proxy }) {
      const remote = find(id);
      const origins = url === undefined ? addressesOf(remote) : parseMasterOrigins(url);
      // A token belongs to the host that it was given for: it never follows to another one.
      const added = origins.filter((origin) => !addressesOf(remote).includes(origin));
      if (added.length > 0 && token === undefined)
        throw new Fault('TOKEN_NEEDED', `the URL changes to ${added.join(', ')}: enter its token too`);
      const route = checkRoute({ ca, proxy });
      // Nor does it travel by another way, or to whom another authority vouches for, unless it is given anew.
      const turned =
        (route.ca !== undefined && route.ca !== (remote.ca ?? null)) ||
        (route.proxy !== undefined && route.proxy !== (remote.proxy ?? SYSTEM_ROUTE.proxy));
      if (turned && token === undefined)
        throw new Fault('TOKEN_NEEDED', 'the CA or proxy changes: enter the token again');
      [remote.url = '', ...remote.others] = origins;
      Object.assign(remote, route);
      if (name !== undefined) remote.name = name;
      if (colour !== undefined) remote.colour = colour;
      if (production !== undefined) remote.production = production;
      if (readOnly !== undefined) remote.readOnly = readOnly;
      if (token !== undefined) keepToken(remote, token, allowPlain ?? false);
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
    onChange: (listener) => void listeners.push(listener),
  };
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

function read(file: string): Saved {
  try {
    const { version, selected, remotes }: Partial<Saved> = JSON.parse(readFileSync(file, 'utf8'));
    if (version === 1 && Array.isArray(remotes)) {
      const whole = remotes.filter(isWhole);
      return { version, selected: whole.find(({ id }) => id === selected)?.id ?? LOCAL_CONNECTION, remotes: whole };
    }
  } catch {
    // First start, or a damaged file: begin anew, the user can add connections again.
  }
  return { version: 1, selected: LOCAL_CONNECTION, remotes: [] };
}

/** A connection that somebody wrote into the file by hand, and wrongly, must not keep the app from starting. */
function isWhole(remote: Partial<Remote> | null): boolean {
  try {
    return (
      remote !== null &&
      typeof remote.id === 'string' &&
      /^[a-z0-9]{1,64}$/.test(remote.id) &&
      remote.id !== LOCAL_CONNECTION &&
      typeof remote.name === 'string' &&
      parseMasterOrigin(remote.url ?? '') === remote.url &&
      (remote.others === undefined ||
        (Array.isArray(remote.others) && remote.others.every((other) => parseMasterOrigin(other) === other)))
    );
  } catch {
    return false;
  }
}

/** Whole or not at all, readable by its owner alone. */
function write(file: string, saved: Saved): void {
  mkdirSync(dirname(file), { recursive: true });
  const half = `${file}.${process.pid}.tmp`;
  writeFileSync(half, `${JSON.stringify(saved, null, 2)}\n`, { mode: 0o600 });
  renameSync(half, file);
}
