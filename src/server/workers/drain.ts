import type { Registry } from './registry.ts';

/** The end of the master: every worker takes no more, and what runs may end. */
export function createDrain(registry: Registry) {
  let ended: (() => void) | null = null;
  const busy = () => [...registry.all()].some((entry) => entry.link !== null && entry.load > 0);
  return {
    async all(seconds: number): Promise<void> {
      registry.stopAssigning();
      for (const { link } of registry.all()) link?.send({ t: 'drain' });
      if (!busy()) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, seconds * 1000);
        ended = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      ended = null;
    },
    /** Call when the load of a worker changed. */
    check(): void {
      if (ended && !busy()) ended();
    },
  };
}
