import type { Dial, Session } from '../postgres/connection.ts';
import type { Host } from './host.fake.ts';
import type { Backend, PostgresModel } from './postgres.fake.ts';
import type { World } from './world.fixture.ts';

const CONNECT_MS = 3000;

/** The way between a machine and the database. Connections are as TCP: what is sent in one arrives in order, late, or not at all. */
export interface Network {
  dial(host: Host): Dial;
  /** Nothing arrives any more in this direction; nobody is told. */
  hold(direction: 'toServer' | 'toClient' | 'both'): void;
  /** All connections break, and both sides are told. */
  reset(): void;
  /** What was held arrives now. */
  heal(): void;
  /** A process ended: the system closes what it had open, unless the machine was lost. */
  closeAll(host: Host, told: boolean): void;
}

interface Channel {
  send(arrive: () => void): void;
  go(): void;
  /** What has not arrived never does. */
  drop(): void;
}

export function createNetwork(world: World, server: PostgresModel): Network {
  const held = { toServer: false, toClient: false };
  const latency = { most: world.random.pick([2, 5, 20]) };
  const connections = new Set<Connection>();
  const channels = new Set<Channel>();

  function channel(isHeld: () => boolean): Channel {
    let queue: { due: number; arrive: () => void }[] = [];
    let lastDue = 0;
    function go(): void {
      while (!isHeld() && queue[0] && queue[0].due <= world.now) queue.shift()?.arrive();
    }
    const made: Channel = {
      send(arrive) {
        const ms = world.random.chance(0.01)
          ? world.random.between(0, 40 * latency.most)
          : world.random.between(0.2, latency.most);
        lastDue = Math.max(lastDue, world.now + ms);
        queue.push({ due: lastDue, arrive });
        world.at(lastDue - world.now, go);
      },
      go,
      drop: () => void (queue = []),
    };
    channels.add(made);
    return made;
  }

  interface Connection {
    readonly host: Host;
    readonly toServer: Channel;
    readonly toClient: Channel;
    /** The client's end is told that it broke. */
    broke(): void;
    /** The client's end closes. */
    close(told: boolean): void;
    /** Both ends are told that it broke. */
    reset(): void;
  }

  return {
    dial: (host) => (onEnd) =>
      new Promise<Session>((resolve, reject) => {
        const toServer = channel(() => held.toServer);
        const toClient = channel(() => held.toClient);
        let backend: Backend | null = null;
        let open = true;
        const pending = new Set<(error: Error) => void>();
        const over = (): void => {
          open = false;
          connections.delete(connection);
        };
        const connection: Connection = {
          ...{ host, toServer, toClient },
          broke() {
            if (!open) return;
            over();
            const error = new Error('Connection terminated unexpectedly');
            host.deliver(() => {
              reject(error);
              onEnd();
              for (const one of pending) one(error);
            });
          },
          close(told) {
            over();
            toClient.drop();
            // What the system had not sent yet goes out before the end, or is lost with the way.
            if (!told || world.random.chance(0.3)) toServer.drop();
            if (told) toServer.send(() => backend?.hangUp());
          },
          reset() {
            toServer.drop();
            toClient.drop();
            backend?.hangUp();
            connection.broke();
          },
        };
        connections.add(connection);
        host.at(CONNECT_MS, () => {
          if (!open || backend?.greeted) return;
          connection.close(true);
          reject(new Error('timeout expired'));
        });
        const session: Session = {
          query: (text, values) =>
            new Promise((done, failed) => {
              if (!open) return failed(new Error('Client was closed and is not queryable'));
              pending.add(failed);
              toServer.send(() =>
                backend?.execute(text, values, (answer) =>
                  toClient.send(() =>
                    host.deliver(() => {
                      if (!open) return;
                      pending.delete(failed);
                      if (answer instanceof Error) failed(answer);
                      else done({ rows: answer });
                    }),
                  ),
                ),
              );
            }),
          end: () => {
            if (open) connection.close(true);
          },
        };
        toServer.send(() => {
          backend = server.connect(() => toClient.send(() => connection.broke()));
          if (backend === null)
            return toClient.send(() =>
              host.deliver(() => {
                over();
                reject(new Error('connect ECONNREFUSED'));
              }),
            );
          const greeted = backend;
          toClient.send(() =>
            host.deliver(() => {
              if (!open) return;
              greeted.greeted = true;
              resolve(session);
            }),
          );
        });
      }),
    hold(direction) {
      if (direction !== 'toClient') held.toServer = true;
      if (direction !== 'toServer') held.toClient = true;
    },
    reset() {
      for (const one of connections) one.reset();
    },
    heal() {
      held.toServer = false;
      held.toClient = false;
      // Also what was sent over connections that were given up since: that is how a statement runs late.
      for (const one of channels) one.go();
    },
    closeAll(host, told) {
      for (const one of connections) if (one.host === host) one.close(told);
    },
  };
}
