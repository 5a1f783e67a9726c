import { CONSOLE_SCHEME, type Connection } from '../../contract/ipc.ts';
import { Fault } from '../../lib/fault.ts';
import { isMasterPath } from '../console/master-paths.ts';

/** A place in the console of some cluster. */
export interface Link {
  /** Id of a connection here, or host and port of a master, which every machine that has a connection to it understands. */
  cluster: string;
  /** Path and query of the console, from `/`. */
  path: string;
}

const LONGEST = 4000;
const CLUSTER = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;
// oxlint-disable-next-line no-control-regex -- Control characters are what must not be in it.
const UNFIT = /[\u0000-\u0020\u007f\\]/;

/** Reads `yardmaster://CLUSTER/path`. Throws `Fault` LINK_INVALID: whatever a page or a mail may hold is tried on it. */
export function parseLink(text: string): Link {
  const fault = (why: string) =>
    new Fault('LINK_INVALID', `${text.slice(0, 100)} is not a valid Yardmaster link: ${why}`);
  if (text.length > LONGEST) throw fault(`it is longer than ${LONGEST} characters`);
  if (UNFIT.test(text) || !URL.canParse(text)) throw fault('it is not a URL');
  const url = new URL(text);
  if (url.protocol !== `${CONSOLE_SCHEME}:`) throw fault(`expected a link starting with ${CONSOLE_SCHEME}://`);
  const cluster = url.host.toLowerCase();
  if (url.username || url.password || !CLUSTER.test(cluster))
    throw fault('expected the name of a connection, or host and port of a master, after the scheme');
  const place = url.pathname === '' ? '/' : url.pathname;
  if (!place.startsWith('/') || place.startsWith('//')) throw fault('its path must start with a single slash');
  if (isMasterPath(place)) throw fault(`${place} is not a page of the console`);
  return { cluster, path: `${place}${url.search}` };
}

/** The connection that a link means here; null: there is none to that cluster. It never makes one. */
export function connectionForLink(
  { cluster }: Link,
  connections: readonly Pick<Connection, 'id' | 'url' | 'otherUrls' | 'kind'>[],
): string | null {
  const byId = connections.find(({ id }) => id === cluster);
  if (byId) return byId.id;
  return (
    connections.find(
      ({ kind, url, otherUrls }) =>
        kind === 'remote' &&
        url !== null &&
        [url, ...otherUrls].some((one) => new URL(one).host.toLowerCase() === cluster),
    )?.id ?? null
  );
}
