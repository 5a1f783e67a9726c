import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LoadOrder, LoadResult } from './load-process.ts';

export interface Loader {
  run(order: LoadOrder): Promise<LoadResult>;
  stop(): void;
}

/** Starts the process that makes the load. */
export function startLoader(): Loader {
  const child = fork(fileURLToPath(new URL('load-process.ts', import.meta.url)), { execArgv: [] });
  return {
    run(order) {
      return new Promise((resolve, reject) => {
        const onExit = (code: number | null) => reject(new Error(`the load generator ended with ${code}`));
        child.once('exit', onExit);
        child.once('message', (result) => {
          child.off('exit', onExit);
          resolve(result as LoadResult);
        });
        child.send(order);
      });
    },
    stop: () => void child.kill(),
  };
}

/** The bytes of one HTTP/1.1 request. */
export function requestText(method: string, path: string, headers: Record<string, string>, body: string): string {
  const all = {
    host: '127.0.0.1',
    ...headers,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  };
  return `${method} ${path} HTTP/1.1\r\n${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`;
}
