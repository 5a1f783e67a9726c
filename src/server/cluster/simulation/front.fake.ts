import type { Asked, Answer } from './checker.fixture.ts';
import type { Host } from './host.fake.ts';

type Told = (answer: Answer | Error) => void;
export type Serve = (asked: Asked, told: Told) => void;

/** As `front/front.ts` sees who answers. */
export type Destination =
  | { kind: 'own'; serve: Serve; fresh(): boolean; whenProved(told: (error: Error | null) => void): void }
  | { kind: 'other'; url: string }
  | { kind: 'none' };

export interface FakeFront {
  serveBy(destination: Destination): void;
  take(asked: Asked, hops: number, told: Told): void;
}

const HOLD_MS = 4000;
const AGAIN_MS = 50;
const MOST_HOPS = 2;

/** The port of a master without HTTP: who answers, who waits, and when it is refused are as in `front/front.ts`. */
export function createFakeFront(
  host: Host,
  forward: (url: string, asked: Asked, hops: number, told: Told) => void,
): FakeFront {
  let destination: Destination = { kind: 'none' };
  const waiting = new Set<() => void>();

  function hold(since: number, again: () => void, late: () => void): void {
    const leftMs = since + HOLD_MS - host.time.steady();
    if (leftMs <= 0) return late();
    const wake = (): void => {
      if (waiting.delete(wake)) {
        cancel();
        again();
      }
    };
    const cancel = host.at(destination.kind === 'none' ? leftMs + 1 : Math.min(leftMs + 1, AGAIN_MS), wake);
    waiting.add(wake);
  }

  function answer(asked: Asked, hops: number, told: Told, since: number): void {
    const late = (): void => told(new Error('NO_OWNER'));
    const again = (): void => answer(asked, hops, told, since);
    const to = destination;
    if (to.kind === 'own') {
      if (to.fresh()) return to.serve(asked, told);
      return to.whenProved((error) =>
        error === null && destination === to ? to.serve(asked, told) : hold(since, again, late),
      );
    }
    if (to.kind === 'none') return hold(since, again, late);
    if (hops >= MOST_HOPS) return late();
    forward(to.url, asked, hops + 1, told);
  }

  return {
    serveBy(next) {
      destination = next;
      if (next.kind === 'none') return;
      const again = [...waiting];
      for (const one of again) one();
    },
    take: (asked, hops, told) => answer(asked, hops, told, host.time.steady()),
  };
}
