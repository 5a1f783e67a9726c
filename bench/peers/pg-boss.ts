import { ownPostgres } from './own-postgres.ts';
import { packageOf, type PeerModule } from './peer.ts';
import { startPeerWorker } from './worker-process.ts';

export interface Boss {
  start(): Promise<unknown>;
  stop(options?: unknown): Promise<void>;
  createQueue(name: string): Promise<unknown>;
  send(name: string, data: unknown): Promise<unknown>;
  insert(name: string, jobs: { data: unknown }[]): Promise<unknown>;
  work(name: string, options: unknown, run: (jobs: unknown[]) => Promise<unknown>): Promise<unknown>;
}
export interface BossPackage {
  PgBoss: new (url: string) => Boss;
}

/** pg-boss on a PostgreSQL of its own. */
export const pgBoss: PeerModule = {
  name: 'pg-boss, PostgreSQL',
  async open() {
    const found = await packageOf<BossPackage>('pg-boss');
    if (!found) return { missing: 'npm install --prefix bench/peers' };
    const { url, server, stop } = await ownPostgres();
    const boss = new found.PgBoss(url);
    await boss.start();
    await boss.createQueue('noop');
    let worker: Awaited<ReturnType<typeof startPeerWorker>> | null = null;
    return {
      server,
      async submit(count) {
        for (let i = 0; i < count; i += 1000)
          await boss.insert(
            'noop',
            Array.from({ length: Math.min(1000, count - i) }, (_, n) => ({ data: { n: i + n } })),
          );
      },
      async startWorker() {
        worker = await startPeerWorker(new URL('pg-boss-worker.ts', import.meta.url), [url]);
        return worker;
      },
      pickUp: async () => (worker ? worker.pickUp(() => boss.send('noop', { n: 0 })) : Number.NaN),
      async close() {
        await boss.stop({ graceful: false });
        await stop();
      },
    };
  },
};
