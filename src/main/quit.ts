import { app } from 'electron';
import type { LocalCluster } from './local/cluster.ts';
import { farewell } from './window/farewell.ts';

/** The app ends once its master has: it takes no new work, lets running tasks end, and is gone before the app is. */
export function quitInOrder(local: LocalCluster, drainSeconds: number): void {
  let stopped = false;
  let stopping = false;
  app.on('will-quit', (event) => {
    if (stopped) return;
    event.preventDefault();
    if (stopping) return;
    stopping = true;
    void farewell(drainSeconds, local.stop()).finally(() => {
      stopped = true;
      app.quit();
    });
  });
}
