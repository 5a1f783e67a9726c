import { writeFileSync } from 'node:fs';

// Loaded into a master (`node --expose-gc --import`): on SIGUSR2 it writes how much of its heap is in use once all that nobody
// holds any more is gone.
const file = process.env['YARDMASTER_BENCH_HEAP'];
if (file !== undefined && process.argv.includes('master'))
  process.on('SIGUSR2', () => {
    globalThis.gc();
    globalThis.gc();
    writeFileSync(file, String(process.memoryUsage().heapUsed));
  });
