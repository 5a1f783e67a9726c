import { ROUTES, type RouteName } from './routes.ts';

export type Address = readonly [method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string];

/**
 * Method and path of each route: all that a caller needs of the table while it runs. Builds put the value in the place of
 * this file (scripts/lib/addresses.ts), so that consoles and commands load neither the schemas nor their library.
 */
export const ADDRESSES = Object.fromEntries(
  Object.entries(ROUTES).map(([name, { method, path }]) => [name, [method, path]]),
) as unknown as Readonly<Record<RouteName, Address>>;
