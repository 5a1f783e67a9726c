import type { Forwarded } from '../front/dispatch.ts';
import type { Asked, Answer } from './checker.fixture.ts';
import type { Host } from './host.fake.ts';
import type { World } from './world.fixture.ts';

/** As `forwardConnectSeconds`. */
const CONNECT_MS = 1000;

/** A master as the others reach it. */
export interface Reachable {
  readonly host: Host | null;
  /** Nobody is there to say that it is down. */
  readonly silent: boolean;
  ask(asked: Asked, hops: number, told: (answer: Answer | Error) => void): void;
}

export interface Forwarding extends Forwarded {
  answered(answer: Answer | Error): void;
}

/** The network between masters: a connection for each request that one forwards to another. */
export interface Peers {
  /** Gives what cuts it. */
  forward(from: { id: string; host: Host }, url: string, asked: Asked, hops: number, told: Forwarding): () => void;
  /** Nothing arrives at this master or from it any more; nobody is told. */
  hold(id: string): void;
  /** What was held arrives now. */
  heal(id: string): void;
  /** Its connections break, and whoever is left is told. */
  reset(id: string): void;
}

interface Link {
  readonly ends: readonly [string, string];
  connected: boolean;
  over: boolean;
  held: (() => void)[];
  broke(): void;
}

export function createPeers(world: World, at: (url: string) => { id: string; machine: Reachable } | null): Peers {
  const held = new Set<string>();
  const links = new Set<Link>();
  const isHeld = ({ ends }: Link): boolean => ends.some((id) => held.has(id));

  function travel(link: Link, arrive: () => void): void {
    world.at(world.random.between(0.2, 3), function go() {
      if (link.over) return;
      if (isHeld(link)) return void link.held.push(go);
      arrive();
    });
  }

  return {
    forward({ id, host }, url, asked, hops, told) {
      const there = at(url);
      const end = (run: () => void): void => {
        if (link.over) return;
        link.over = true;
        links.delete(link);
        host.deliver(run);
      };
      const link: Link = {
        ends: [id, there?.id ?? ''],
        connected: false,
        over: false,
        held: [],
        broke: () => end(() => told.failed(link.connected)),
      };
      links.add(link);
      host.at(CONNECT_MS, () => {
        if (!link.connected) link.broke();
      });
      travel(link, () => {
        const target = there?.machine;
        if (!target || target.silent) return;
        const process = target.host;
        if (process === null) return link.broke();
        link.connected = true;
        target.ask(asked, hops, (answer) => {
          if (process.alive)
            travel(link, () =>
              end(() => {
                told.ended();
                told.answered(answer);
              }),
            );
        });
      });
      return link.broke;
    },
    hold: (id) => void held.add(id),
    heal(id) {
      held.delete(id);
      for (const link of links) if (!isHeld(link)) for (const go of link.held.splice(0)) go();
    },
    reset(id) {
      for (const link of links) if (link.ends.includes(id) && link.connected) link.broke();
    },
  };
}
