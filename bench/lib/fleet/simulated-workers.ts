import { WebSocket } from 'ws';
import { VERSION } from '../../../src/contract/version.ts';
import {
  WORKER_PATH,
  WORKER_PROTOCOL,
  type Lease,
  type MasterFrame,
  type Report,
  type WorkerFrame,
} from '../../../src/contract/worker-protocol.ts';
import { createSeededRandom, type SeededRandom } from '../../../src/lib/seeded-random.ts';
import { logAddress } from '../../../src/worker/log-address.ts';
import { createLogShipper, type LogShipper } from '../../../src/worker/log-shipper.ts';

/** How a simulated worker works: milliseconds. */
export interface WorkPlan {
  /** Run time of a task: from the first to the second. */
  readonly taskMs: readonly [number, number];
  readonly progressMs: number;
  readonly pointsMs: number;
}

export interface SimulatedWorker {
  /** Resolves with its ID once a master has welcomed it. */
  readonly joined: Promise<string>;
  /** Says no more, and keeps the connection. */
  freeze(): void;
  /** Breaks the connection off, as a machine that loses its power. */
  kill(): void;
  /** Leaves in order. */
  stop(): void;
}

export interface WorkerStart {
  readonly master: string;
  readonly token: string;
  readonly number: number;
  readonly url: string;
  readonly capacity: number;
  readonly handlers: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

const MEMORY_TOTAL = 16 * 2 ** 30;
const LOG_BUFFER_BYTES = 1_000_000;

/**
 * A worker that speaks the whole protocol over a WebSocket and a TCP connection of its own (heartbeats, reports, progress, metric
 * points, log lines) and whose tasks do nothing but take their time.
 */
export function startSimulatedWorker(start: WorkerStart, plan: WorkPlan): SimulatedWorker {
  const random = createSeededRandom(start.number + 1);
  const logs = createLogShipper(() => LOG_BUFFER_BYTES);
  const socket = new WebSocket(`${start.master.replace(/^http/, 'ws')}${WORKER_PATH}`, {
    headers: { authorization: `Bearer ${start.token}` },
  });
  const running = new Map<string, Lease>();
  const timers = new Set<NodeJS.Timeout>();
  const joined = Promise.withResolvers<string>();
  let id = '';
  let frozen = false;

  const send = (frame: WorkerFrame) => {
    if (!frozen && socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame));
  };
  const report = (...items: Report[]) => send({ t: 'report', items });
  const repeat = (ms: number, run: () => void) => timers.add(setInterval(run, ms));
  const later = (ms: number, run: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
  };

  function beat() {
    send({
      t: 'beat',
      cpu: Math.min(1, running.size / start.capacity / 2 + random() / 10),
      memory: (120 + random.below(60)) * 2 ** 20,
      memoryTotal: MEMORY_TOTAL,
      running: running.size,
    });
    if (!frozen) socket.ping();
  }

  function run(lease: Lease) {
    const { id: task, attempt } = lease;
    const key = `${task} ${attempt}`;
    const startedAt = Date.now();
    running.set(key, lease);
    report({ e: 'start', id: task, attempt, at: startedAt });
    shipLine(logs, id, lease, 'INFO', 'started');
    const [least, most] = plan.taskMs;
    const takes = least + random.below(most - least);
    for (let at = plan.progressMs; at < takes; at += plan.progressMs)
      later(at, () => {
        const fraction = at / takes;
        send({
          t: 'progress',
          items: [{ id: task, attempt, fraction, message: `${Math.round(fraction * 40)} of 40` }],
        });
        shipLine(logs, id, lease, 'DEBUG', `checked ${Math.round(fraction * 40)} of 40 parcels`);
      });
    later(takes, () => {
      if (!running.delete(key)) return;
      end(lease, startedAt, random);
    });
  }

  function end(lease: Lease, startedAt: number, chance: SeededRandom) {
    const times = { id: lease.id, attempt: lease.attempt, startedAt, at: Date.now() };
    // One task in fifty fails, as in a plant where now and then a scanner reads nothing.
    if (chance.percent(2)) {
      shipLine(logs, id, lease, 'ERROR', 'the scanner read nothing');
      const error = { code: 'NON_RETRYABLE', message: 'the scanner read nothing', retryable: false };
      report({ e: 'fail', ...times, error });
    } else {
      shipLine(logs, id, lease, 'INFO', 'done');
      report({ e: 'done', ...times, output: { parcels: 40 } });
    }
  }

  function welcomed(frame: Extract<MasterFrame, { t: 'welcome' }>) {
    id = frame.workerId;
    logs.setAddress(logAddress(frame.logstash, { ...start, logstash: null }));
    beat();
    // Each at its own moment, as machines that were started one after the other.
    later(random.below(frame.heartbeatSeconds * 1000), () => repeat(frame.heartbeatSeconds * 1000, beat));
    repeat(plan.pointsMs, () =>
      send({
        t: 'metrics',
        points: [
          { time: Date.now(), measurement: 'scanner', tags: {}, fields: { counter_scans: 1 + random.below(40) } },
        ],
      }),
    );
    joined.resolve(id);
  }

  function taken(frame: MasterFrame) {
    switch (frame.t) {
      case 'welcome':
        return welcomed(frame);
      case 'refuse':
        return joined.reject(new Error(`${frame.code}: ${frame.message}`));
      case 'run':
        return frame.leases.forEach(run);
      case 'kill':
        for (const task of frame.ids) for (const key of running.keys()) if (key.startsWith(task)) running.delete(key);
        return;
      case 'lost':
        frame.ids.forEach((task, i) => running.delete(`${task} ${frame.attempts[i]}`));
        return;
      case 'check': {
        const gone = frame.leases.filter((lease) => !running.has(`${lease.id} ${lease.attempt}`));
        if (gone.length > 0) send({ t: 'gone', leases: gone });
        return;
      }
      case 'commit':
      case 'drain':
      case 'limits':
      case 'masters':
        return;
    }
  }

  function clear() {
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
    running.clear();
    void logs.close(0);
  }

  socket.once('open', () =>
    send({
      t: 'hello',
      protocol: WORKER_PROTOCOL,
      workerId: null,
      version: VERSION,
      url: start.url,
      capacity: start.capacity,
      labels: start.labels,
      handlers: [...start.handlers],
      only: 'handlers',
      running: [],
    }),
  );
  socket.on('message', (data: Buffer) => taken(JSON.parse(data.toString()) as MasterFrame));
  socket.on('error', (error) => joined.reject(error));
  socket.once('close', () => joined.reject(new Error(`the master closed the connection of worker ${start.number}`)));
  joined.promise.catch(() => {});

  return {
    joined: joined.promise,
    freeze: () => (frozen = true),
    kill() {
      clear();
      socket.terminate();
    },
    stop() {
      send({ t: 'drain' });
      send({ t: 'bye' });
      clear();
      socket.close(1000);
    },
  };
}

function shipLine(logs: LogShipper, worker: string, lease: Lease, level: 'DEBUG' | 'INFO' | 'ERROR', words: string) {
  logs.ship({
    _time: new Date().toISOString(),
    _msg: `${lease.node}: ${words}`,
    level,
    job_id: lease.jobId,
    task_id: lease.id,
    worker_id: worker,
    source: 'task',
    attempt: lease.attempt,
    node: lease.node,
    workflow_id: lease.workflowId,
  });
}
