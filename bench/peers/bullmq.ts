import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { packageOf, type PeerModule } from './peer.ts';
import { startPeerWorker } from './worker-process.ts';

interface BullQueue {
  add(name: string, data: unknown): Promise<unknown>;
  addBulk(jobs: { name: string; data: unknown }[]): Promise<unknown>;
  close(): Promise<void>;
}
export interface Bull {
  Queue: new (name: string, options: unknown) => BullQueue;
  Worker: new (
    name: string,
    run: () => Promise<unknown>,
    options: unknown,
  ) => { waitUntilReady(): Promise<unknown>; close(): Promise<void> };
}

/** BullMQ on a Redis of its own that syncs every write to the disk, as a master with `--durability full` does. */
export const bullmq: PeerModule = {
  name: 'BullMQ, Redis appendfsync always',
  async open() {
    const bull = await packageOf<Bull>('bullmq');
    if (!bull || !(await packageOf('ioredis'))) return { missing: 'npm install --prefix bench/peers' };
    if (spawnSync('redis-server', ['--version']).status !== 0)
      return { missing: 'redis-server on the PATH (Debian: apt-get install redis-server)' };
    const folder = mkdtempSync(join(tmpdir(), 'bench-redis-'));
    const socket = join(folder, 'redis.sock');
    const redis = spawn(
      'redis-server',
      [
        '--port',
        '0',
        '--unixsocket',
        socket,
        '--dir',
        folder,
        '--appendonly',
        'yes',
        '--appendfsync',
        'always',
        '--save',
        '',
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await new Promise<void>((resolve, reject) => {
      createInterface(redis.stdout).on('line', (line) => line.includes('ready to accept') && resolve());
      redis.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)));
    });
    const connection = { path: socket };
    const queue = new bull.Queue('noop', { connection });
    let worker: Awaited<ReturnType<typeof startPeerWorker>> | null = null;
    return {
      server: { pid: redis.pid as number, folder },
      async submit(count) {
        for (let i = 0; i < count; i += 1000)
          await queue.addBulk(
            Array.from({ length: Math.min(1000, count - i) }, (_, n) => ({ name: 'noop', data: { n: i + n } })),
          );
      },
      async startWorker() {
        worker = await startPeerWorker(new URL('bullmq-worker.ts', import.meta.url), [socket]);
        return worker;
      },
      pickUp: async () => (worker ? worker.pickUp(() => queue.add('noop', { n: 0 })) : Number.NaN),
      async close() {
        await queue.close();
        const gone = new Promise((resolve) => redis.once('exit', resolve));
        redis.kill('SIGTERM');
        await gone;
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};
