import type { BrowserContext } from '@playwright/test';
import { DEFAULT_PREFERENCES } from '../../../src/contract/desktop.ts';
import type { Connection, IpcChannel, IpcMap, IpcOutcome } from '../../../src/contract/ipc.ts';
import { createFleet } from '../../../src/main/connections/fleet.ts';
import type { FleetCluster } from './clusters.ts';

type Answers = Partial<{ [C in IpcChannel]: (argument: IpcMap[C]['argument']) => unknown }>;

/**
 * Has a page in a browser believe that it runs in the desktop app with a connection to each cluster, the first of which it shows. The
 * clusters are asked by the app's own code.
 */
export async function bridgeToFleet(context: BrowserContext, clusters: readonly FleetCluster[]): Promise<void> {
  const targets = new Map(clusters.map(({ name, ready }) => [name, { url: ready.url, token: ready.token }]));
  const fleet = createFleet({
    fetch: (_to, url, init) => fetch(url, init),
    target: (id) => targets.get(id) ?? null,
    since: () => performance.now(),
  });
  const answers: Answers = {
    'connections:list': () => clusters.map(connectionOf),
    'fleet:status': ({ id }) => fleet.look(id),
    'fleet:search': ({ id, text }) => fleet.search(id, text),
    'desktop:take': () => ({ file: null, notices: [] }),
    'desktop:state': () => ({ preferences: DEFAULT_PREFERENCES, notesSupported: false, loginItemFault: null }),
    'desktop:prefer': () => null,
    'window:theme': () => null,
    'app:notify': () => null,
  };
  await context.exposeFunction(
    'askShell',
    async (channel: IpcChannel, argument: never): Promise<IpcOutcome<unknown>> => {
      const answer = answers[channel];
      return answer
        ? { ok: true, value: await answer(argument) }
        : { ok: false, code: 'NOT_HERE', message: `${channel} is of the desktop app alone` };
    },
  );
  await context.addInitScript(() => {
    const call = (channel: string, argument: unknown): unknown =>
      (Reflect.get(globalThis, 'askShell') as (channel: string, argument: unknown) => unknown)(channel, argument);
    Reflect.set(globalThis, 'yardmaster', { call, on: () => () => undefined });
  });
}

const connectionOf = ({ name, ready }: FleetCluster, index: number): Connection => ({
  id: name,
  name,
  kind: 'remote',
  url: ready.url,
  via: null,
  tunnel: null,
  otherUrls: [],
  colour: ['#1b8a6b', '#8a1b3d', '#1b5c8a', '#8a6b1b', '#5c1b8a'][index] ?? null,
  production: false,
  readOnly: false,
  tokenKept: 'session',
  authority: null,
  proxy: 'system',
  version: null,
  skew: null,
  selected: index === 0,
});
