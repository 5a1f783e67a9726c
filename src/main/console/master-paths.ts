/** What the master answers itself; all else is a place of the console. */
const MASTER_PATHS = /^\/(api|docs|metrics|healthz|readyz)(\/|$)/i;

export const isMasterPath = (pathname: string): boolean => MASTER_PATHS.test(pathname);
