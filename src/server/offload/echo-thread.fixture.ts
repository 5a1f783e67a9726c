import type { FaultCode } from '../../contract/errors.ts';
import { Fault } from '../../lib/fault.ts';
import { notifyParent, serveThread, threadData } from './serve-thread.ts';

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
  exit: () => process.exit(3),
};
export type EchoMethods = typeof methods;
serveThread(methods);
