import type { Crew, Station } from './worker-pool.ts';

/** The workers as one turn sees them: who takes the next task that asks for this handler (null: any worker will do). */
export interface Floor {
  hasRoom(handler: string | null): boolean;
  /** Somebody has room for something. */
  hasAnyRoom(): boolean;
  /** Null: nobody has room. */
  take(handler: string | null): Station | null;
}

interface Choice {
  station: Station | null;
  /** Tasks that go to it before the workers are compared again. */
  left: number;
}

/**
 * A turn's tasks go to few workers, so that they travel in few frames: the roomiest gets tasks until it has half as much
 * room as the next one, then the workers are compared again.
 */
export function openFloor(crew: Crew): Floor {
  const choices = new Map<string, Choice>();
  const any: Choice = { station: null, left: 0 };

  function compare(choice: Choice, handler: string | null): void {
    let best: Station | null = null;
    let most = 0;
    let second = 0;
    for (const station of crew.stations()) {
      const room = roomOf(station);
      if (room <= second || !isFor(station, handler)) continue;
      if (room > most) {
        second = most;
        most = room;
        best = station;
      } else second = room;
    }
    choice.station = best;
    choice.left = Math.max(1, most - Math.floor(second / 2));
  }

  function choiceOf(handler: string | null): Choice {
    let choice = handler === null ? any : choices.get(handler);
    if (!choice) choices.set(handler as string, (choice = { station: null, left: 0 }));
    if (choice.left <= 0 || !choice.station || roomOf(choice.station) === 0) compare(choice, handler);
    return choice;
  }

  return {
    hasRoom: (handler) => choiceOf(handler).station !== null,
    hasAnyRoom() {
      for (const station of crew.stations()) if (roomOf(station) > 0) return true;
      return false;
    },
    take(handler) {
      const choice = choiceOf(handler);
      choice.left--;
      return choice.station;
    },
  };
}

/** Whether a worker takes tasks that ask for this handler, or (null) for none. */
export const isFor = ({ handlers, handlersOnly }: Station, handler: string | null): boolean =>
  handler === null ? !handlersOnly : handlers.includes(handler);

export const roomOf = ({ accepting, capacity, load }: Station): number =>
  accepting && capacity > load ? capacity - load : 0;
