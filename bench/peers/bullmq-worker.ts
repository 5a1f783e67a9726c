import type { Bull } from './bullmq.ts';
import { packageOf } from './peer.ts';
import { teller } from './worker-process.ts';

const bull = await packageOf<Bull>('bullmq');
if (!bull) throw new Error('bullmq is not installed');
const { began, done } = teller();
const worker = new bull.Worker(
  'noop',
  async () => {
    began();
    done();
  },
  { connection: { path: process.argv[2], maxRetriesPerRequest: null }, concurrency: 10 },
);
await worker.waitUntilReady();
process.once('SIGTERM', () => void worker.close().then(() => process.exit(0)));
process.send?.('ready');
