import { constants, PerformanceObserver } from 'node:perf_hooks';
import type { FaultCode } from '../../contract/errors.ts';
import { Fault } from '../../lib/fault.ts';
import { notifyParent, serveThread, threadData } from './serve-thread.ts';

const kept = new Set<Uint8Array>();
/** Collections of all objects. */
let collections = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries())
    if (Object(entry).detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections++;
}).observe({ entryTypes: ['gc'] });

/** A thread of tests, which does what it is told. */
const methods = {
  data: () => threadData<unknown>(),
  echo: (value: unknown) => value,
  size: (bytes: Uint8Array) => bytes.byteLength,
  bytes: (size: number) => new Uint8Array(size).fill(7),
  fail: (code: FaultCode) => {
    throw new Fault(code, 'told to', { extra: { retryAfterSeconds: 3 } });
  },
  later: (ms: number) => new Promise<string>((resolve) => setTimeout(() => resolve('done'), ms)),
  say: (text: string) => notifyParent(text),
  keep: (size: number) => void kept.add(new Uint8Array(size)),
  drop: () => kept.clear(),
  collections: () => collections,
  exit: () => process.exit(3),
};
export type EchoMethods = typeof methods;
serveThread(methods);
