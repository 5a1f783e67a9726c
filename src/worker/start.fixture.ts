import { startWorker } from './start.ts';

/** A worker as a process of its own: `node worker-process.ts URL`. */
const worker = await startWorker({
  master: process.argv[2] ?? '',
  socket: null,
  follows: true,
  token: 't',
  capacity: 8,
  handlers: null,
  labels: {},
  logstash: null,
  log() {},
});
process.on('SIGTERM', () => void worker.close(5));
