import type { Route } from '../../contract/desktop.ts';
import { SYSTEM_ROUTE } from '../../contract/desktop.ts';
import { type AnyMaster, createAnyMaster, isRepeatable, noOwnerWait } from '../../lib/any-master.ts';
import { pathTo } from '../../lib/api-client.ts';
import { addressesOf, type Target } from './connections.ts';

export interface Reach {
  /** `fetch` by the way of that connection. `url` begins with the target's own; where another master of its serves, it is asked instead. */
  fetch(target: Target, url: string, init: RequestInit): Promise<Response>;
  /** The address that its next request goes to. */
  current(target: Target): string;
}

/** Sends requests to whichever master of a connection serves. */
export function createReach(fetch: (route: Route, url: string, init: RequestInit) => Promise<Response>): Reach {
  const known = new Map<string, AnyMaster>();
  const mastersOf = (target: Target): AnyMaster => {
    const { route = SYSTEM_ROUTE } = target;
    const name = JSON.stringify([addressesOf(target), route]);
    const masters =
      known.get(name) ??
      createAnyMaster(addressesOf(target), {
        isAlive: async (address, signal) => {
          const answer = await fetch(route, address + pathTo('master.healthz'), { signal, redirect: 'manual' });
          await answer.body?.cancel();
          return answer.ok;
        },
      });
    known.set(name, masters);
    return masters;
  };
  return {
    fetch: (target, url, init) =>
      mastersOf(target).send({
        repeatable: isRepeatable(init.method ?? 'GET', new Headers(init.headers)),
        signal: init.signal,
        attempt: (address, signal) =>
          fetch(target.route ?? SYSTEM_ROUTE, address + url.slice(target.url.length), { ...init, signal }),
        waitOf: noOwnerWait,
      }),
    current: (target) => mastersOf(target).current(),
  };
}
