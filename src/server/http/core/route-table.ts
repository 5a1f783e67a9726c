/**
 * Finds the route of a request by method and path. Registered with Fastify one by one, they took a quarter of the time of a start:
 * its router makes and compiles code for each of them, and for HEAD again.
 */
export interface RouteTable<T> {
  /** @param path parts beginning with a colon are parameters: `/api/v1/jobs/:id` */
  add(method: string, path: string, route: T): void;
  /** @param url as it came, with its query; null: no route has this path and method */
  find(method: string, url: string): Found<T> | null;
}

export interface Found<T> {
  readonly route: T;
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>;
}

interface Node<T> {
  readonly named: Map<string, Node<T>>;
  any: Node<T> | null;
  /** By method, with the names of the parameters on its path. */
  readonly routes: Map<string, { readonly route: T; readonly names: readonly string[] }>;
}

const emptyNode = <T>(): Node<T> => ({ named: new Map(), any: null, routes: new Map() });

/** @param mostCharacters of a parameter; a longer one is nobody's */
export function createRouteTable<T>(mostCharacters: number): RouteTable<T> {
  const root = emptyNode<T>();

  /** A part that is written out goes before a parameter. */
  function search(
    node: Node<T>,
    method: string,
    parts: readonly string[],
    values: readonly string[],
    at = 0,
  ): Found<T> | null {
    const part = parts[at];
    if (part === undefined) {
      const end = node.routes.get(method);
      if (!end) return null;
      return { route: end.route, params: Object.fromEntries(end.names.map((name, i) => [name, values[i] ?? ''])) };
    }
    const named = node.named.get(part);
    const found = named ? search(named, method, parts, values, at + 1) : null;
    if (found || !node.any || part === '' || part.length > mostCharacters) return found;
    return search(node.any, method, parts, [...values, part], at + 1);
  }

  return {
    add(method, path, route) {
      const names: string[] = [];
      let node = root;
      for (const part of path.split('/')) {
        if (part.startsWith(':')) {
          names.push(part.slice(1));
          node = node.any ??= emptyNode();
        } else {
          const next = node.named.get(part) ?? emptyNode<T>();
          node.named.set(part, next);
          node = next;
        }
      }
      node.routes.set(method, { route, names });
    },
    find(method, url) {
      const parts = partsOf(url);
      return parts && search(root, method, parts, []);
    },
  };
}

/** A request to a proxy names the host, too: `GET http://yard:8700/api/v1/jobs`. */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** The decoded parts of a path; null where an escape means nothing. An escaped slash separates nothing. */
function partsOf(url: string): string[] | null {
  const path = url.replace(ORIGIN, '').split(/[?#]/, 1)[0] ?? '';
  const parts = path.split('/');
  if (!path.includes('%')) return parts;
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return null;
  }
}
