import { LIMITS } from '../contract/limits.ts';
import type { RunningWorker, WorkerOptions } from '../contract/process.ts';
import { WORKER_PROTOCOL, workerLimits, type MasterFrame, type WorkerLimits } from '../contract/worker-protocol.ts';
import { VERSION } from '../contract/version.ts';
import { Fault } from '../lib/fault.ts';
import { createBeat } from './beat.ts';
import { openCodeThread } from './code-thread.ts';
import { openExpressionChild } from './expression-child.ts';
import { createExpressions } from './expressions.ts';
import { serveHealth } from './health.ts';
import { openLink } from './link.ts';
import { createPool } from './pool.ts';
import { createReporter } from './report.ts';
import { createRunner } from './run.ts';
import { createShipper } from './ship.ts';
import { createFill } from './text.ts';

/** Threads of one worker for code: more than this many at once wait for each other. */
const THREADS_MOST = 16;
/** Processes of one worker for expressions. They only compute, so more than a machine has cores gains little. */
const PROCESSES_MOST = 4;
const SHIP_CLOSE_MS = 2000;
const WARM_MS = 500;

/**
 * Joins a master and runs its tasks. Resolves at the first welcome; rejects with a `Fault` WORKER_REFUSED where the
 * master does not take it. An unreachable master is tried again without end.
 */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  if (options.handlers !== null) throw new Fault('USAGE', `this version runs no handlers: start the worker without ${options.handlers}`);
  // Those of the master take their place with its welcome.
  const limits: WorkerLimits = workerLimits(LIMITS);
  let workerId: string | null = null;
  let connected = false;
  let drainedByMaster = false;
  let leaving = false;
  const threads = createPool({ most: Math.min(options.capacity, THREADS_MOST), keep: 1, open: openCodeThread });
  const processes = createPool({ most: Math.min(options.capacity, PROCESSES_MOST), keep: 0, open: (events) => openExpressionChild(events, limits.expressionMemoryBytes) });
  const expressions = createExpressions(processes, limits);
  const report = createReporter();
  const shipper = createShipper(() => limits.workerLogBufferBytes);
  const runner = createRunner({ report, ship: shipper.ship, tools: { expressions, fill: createFill(expressions), threads, limits, version: VERSION }, workerId: () => workerId ?? '' });
  const health = await serveHealth(() => ({ ok: connected, workerId, master: options.master, connected, draining: leaving || drainedByMaster, running: runner.running, capacity: options.capacity, logLinesDropped: shipper.dropped, version: VERSION }));
  const beat = createBeat();
  let beating: NodeJS.Timeout | undefined;
  const ended = Promise.withResolvers<void>();
  const joined = Promise.withResolvers<void>();

  const link = openLink(options.master, options.token, {
    hello: () => ({ t: 'hello', protocol: WORKER_PROTOCOL, workerId, version: VERSION, url: health.url, capacity: options.capacity, labels: options.labels, handlers: [], running: [...runner.held(), ...report.unconfirmed()] }),
    welcome(frame, wire) {
      workerId = frame.workerId;
      connected = true;
      drainedByMaster = false;
      Object.assign(limits, frame.limits);
      shipper.aim(options.logstash ?? reachable(frame.logstash, options.master));
      report.attach(wire);
      clearInterval(beating);
      link.send(beat(runner.running));
      beating = setInterval(() => link.send(beat(runner.running)), frame.heartbeatSeconds * 1000).unref();
      if (leaving) link.send({ t: 'drain' });
      // The first code of a worker shall not wait for a thread to start; the worker's own start comes first.
      setTimeout(threads.warm, WARM_MS).unref();
      joined.resolve();
    },
    frame: act,
    lost() {
      connected = false;
      clearInterval(beating);
      report.detach();
    },
    refused(fault) {
      void stop();
      joined.reject(fault);
      ended.reject(fault);
    },
    say: options.say,
  });

  function act(frame: MasterFrame): void {
    if (frame.t === 'run') runner.take(frame.leases);
    else if (frame.t === 'commit') runner.learn(frame.commit, frame.nodes);
    else if (frame.t === 'kill') runner.stop(frame.ids);
    else if (frame.t === 'lost') runner.lose(frame.ids, frame.attempts);
    else if (frame.t === 'drain') drainedByMaster = true;
  }

  async function stop(): Promise<void> {
    clearInterval(beating);
    await Promise.all([threads.close(), processes.close(), shipper.close(SHIP_CLOSE_MS), health.close()]);
  }

  let closing: Promise<void> | null = null;
  async function close(seconds: number): Promise<void> {
    leaving = true;
    link.send({ t: 'drain' });
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([runner.idle(), new Promise((resolve) => (timer = setTimeout(resolve, seconds * 1000)))]);
    clearTimeout(timer);
    runner.stop(runner.held().map(({ id }) => id));
    report.flush();
    await link.close();
    await stop();
    ended.resolve();
  }

  // Whoever awaits `closed` hears of a refusal; nobody has to.
  ended.promise.catch(() => {});
  await joined.promise;
  return { workerId: workerId ?? '', closed: ended.promise, close: (seconds) => (closing ??= close(seconds)) };
}

/** A pipeline that listens on every address is reached where the master is. */
function reachable(address: { host: string; port: number } | null, master: string): { host: string; port: number } | null {
  if (address === null || (address.host !== '0.0.0.0' && address.host !== '::')) return address;
  return { host: new URL(master).hostname.replace(/^\[|\]$/g, ''), port: address.port };
}
