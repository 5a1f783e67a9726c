import { createWorker } from 'yardmaster/worker';
import { handlers } from './handlers.ts';

/** `YARDMASTER_WORKER_TOKEN=… npm start`: a process of your own that is a worker. SIGTERM lets it finish what it runs. */
const worker = createWorker({
  master: process.env['YARDMASTER_URL'] ?? 'http://127.0.0.1:8700',
  handlers,
  capacity: 4,
  labels: { team: 'stock' },
});
const { workerId } = await worker.ready;
console.log(`worker ${workerId} runs ${Object.keys(handlers).join(', ')}`);
