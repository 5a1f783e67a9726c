import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { quantile } from './report.ts';
import type { ProbeOrder, ProbeResult } from './health-probe-process.ts';

export interface HealthFigures {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** The same of a bare server that was asked beside it: what the machine alone does. */
  readonly bareP99Ms: number;
  readonly bareMaxMs: number;
  readonly asked: number;
  readonly failed: number;
}

/** The process that asks for `/healthz` every 10 ms. */
export function startHealthProbe(url: string) {
  const child = fork(fileURLToPath(new URL('health-probe-process.ts', import.meta.url)), { execArgv: [] });
  return {
    /** How long it took while `run` ran. */
    async during<T>(run: () => Promise<T>): Promise<{ result: T; seconds: number; figures: HealthFigures }> {
      child.send({ url } satisfies ProbeOrder);
      const from = performance.now();
      const result = await run();
      const seconds = (performance.now() - from) / 1000;
      const seen = new Promise<ProbeResult>((resolve, reject) => {
        child.once('message', (message) => resolve(message as ProbeResult));
        child.once('exit', (code) => reject(new Error(`the probe ended with ${code}`)));
      });
      child.send('stop');
      const { health, bare, failed } = await seen;
      const [sorted, floor] = [health, bare].map((times) => times.toSorted((a, b) => a - b)) as [number[], number[]];
      return {
        result,
        seconds,
        figures: {
          p50Ms: quantile(sorted, 0.5),
          p99Ms: quantile(sorted, 0.99),
          maxMs: quantile(sorted, 1),
          bareP99Ms: quantile(floor, 0.99),
          bareMaxMs: quantile(floor, 1),
          asked: health.length,
          failed,
        },
      };
    },
    stop: () => void child.kill(),
  };
}
