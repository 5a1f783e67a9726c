/** The scheme by which the system opens the desktop app, and by which the app serves the console to itself. */
export const LINK_SCHEME = 'yardmaster';

/**
 * The link to a path of a cluster, as it can be given to others: by host and port of its master, which every app that has
 * a connection to it understands; `local` means the master of whoever opens it.
 */
export function deepLink(
  connection: { id: string; kind: 'local' | 'remote'; url: string | null },
  path: string,
): string {
  const cluster =
    connection.kind === 'remote' && connection.url !== null ? new URL(connection.url).host : connection.id;
  return `${LINK_SCHEME}://${cluster}${path}`;
}
