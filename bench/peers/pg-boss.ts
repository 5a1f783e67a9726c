import { packageOf, type PeerModule } from './peer.ts';
import { startPeerWorker } from './worker-process.ts';

export interface Boss {
  start(): Promise<unknown>;
  stop(options?: unknown): Promise<void>;
  createQueue(name: string): Promise<unknown>;
  deleteQueue(name: string): Promise<unknown>;
  send(name: string, data: unknown): Promise<unknown>;
  insert(name: string, jobs: { data: unknown }[]): Promise<unknown>;
  work(name: string, options: unknown, run: (jobs: unknown[]) => Promise<unknown>): Promise<unknown>;
}
export interface BossPackage {
  PgBoss: new (url: string) => Boss;
}

/** pg-boss on the PostgreSQL that YARDMASTER_BENCH_POSTGRES names: a database that may be written to. */
export const pgBoss: PeerModule = {
  name: 'pg-boss, PostgreSQL',
  async open() {
    const url = process.env['YARDMASTER_BENCH_POSTGRES'];
    const found = await packageOf<BossPackage>('pg-boss');
    if (!found) return { missing: 'npm install --prefix bench/peers' };
    if (!url) return { missing: 'YARDMASTER_BENCH_POSTGRES=postgres://user@host/database' };
    const boss = new found.PgBoss(url);
    await boss.start();
    await boss.createQueue('noop');
    let worker: Awaited<ReturnType<typeof startPeerWorker>> | null = null;
    return {
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
        await boss.deleteQueue('noop');
        await boss.stop({ graceful: false });
      },
    };
  },
};
