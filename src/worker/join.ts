import { LIMITS } from '../contract/limits.ts';
import type { WorkerOptions } from '../contract/process.ts';
import { VERSION } from '../contract/version.ts';
import {
  WORKER_PROTOCOL,
  workerLimits,
  type HttpPolicy,
  type LeasedNode,
  type MasterFrame,
  type WorkerLimits,
} from '../contract/worker-protocol.ts';
import { createTools } from './executors/tools.ts';
import { createHeartbeat } from './heartbeat.ts';
import { serveHealth } from './health-server.ts';
import { openLink } from './link.ts';
import { createMasters } from './masters.ts';
import { masterPorts } from './master-ports.ts';
import { createReporter } from './report.ts';
import { createRunner } from './run.ts';
import type { Handlers } from './sdk/api.ts';
import { createStanding } from './standing.ts';
import { logAddress } from './log-address.ts';
import { createLogShipper } from './log-shipper.ts';

export interface JoinOptions {
  master: string;
  /** Other masters of its cluster, for where that one does not answer. */
  others?: readonly string[];
  /** Tried before the port, where there is one. */
  socket: string | null;
  /** Goes on at other masters that it is told of where it loses its own. */
  follows: boolean;
  token: string;
  capacity: number;
  handlers: Handlers;
  labels: Record<string, string>;
  /** Overrides the pipeline address that the master names. */
  logstash: WorkerOptions['logstash'];
  health?: WorkerOptions['health'];
  log(line: string): void;
}

/** A worker that joins, or has joined. */
export interface JoinedWorker {
  /** Resolves at the first welcome; rejects with a `Fault` WORKER_REFUSED. */
  readonly ready: Promise<void>;
  /** Empty until then. */
  readonly workerId: string;
  /** Origin of the master that it has, or tries. */
  readonly master: string;
  readonly closed: Promise<void>;
  drain(): Promise<void>;
  close(seconds: number): Promise<void>;
}

/** Threads of one worker for code: more than this many at once wait for each other. */
const THREADS_MOST = 16;
/** Processes of one worker for expressions. They only compute, so more than a machine has cores gains little. */
const PROCESSES_MOST = 4;
const SHIP_CLOSE_MS = 2000;
/** A worker that has its place for so long starts the thread for code, which takes longer than most code: the start itself is over then. */
const WARM_MS = 2000;
const OWN_HEALTH = { host: '127.0.0.1', port: 0 };

/** Joins a master and runs its tasks. An unreachable master is tried again without end. */
export function joinMaster(options: JoinOptions): JoinedWorker {
  // Those of the master take their place with its welcome.
  const limits: WorkerLimits = workerLimits(LIMITS);
  let workerId: string | null = null;
  let policy: HttpPolicy | null = null;
  let connected = false;
  let drainedByMaster = false;
  let leaving = false;
  const tools = createTools({
    limits,
    // Until the welcome says what is allowed, nothing runs.
    httpPolicy: { allowPrivate: false, allow: [] },
    codeThreads: Math.min(options.capacity, THREADS_MOST),
    expressionProcesses: Math.min(options.capacity, PROCESSES_MOST),
    handlers: new Map(Object.entries(options.handlers)),
    version: VERSION,
  });
  const masters = createMasters([options.master, ...(options.others ?? [])], options.follows, options.log);
  const report = createReporter();
  const shipper = createLogShipper(() => limits.workerLogBufferBytes);
  let heartbeatMs = LIMITS.heartbeatSeconds * 1000;
  // The master counts from the last heartbeat that it had, which may have been sent a little before what it answered.
  const standing = createStanding(
    () => Math.max(limits.workerDownSeconds * 500, limits.workerDownSeconds * 1000 - heartbeatMs),
    { elapsed: () => performance.now(), now: Date.now },
  );
  const runner = createRunner({ report, ship: shipper.ship, tools, standing, workerId: () => workerId ?? '' });
  const health = serveHealth(options.health ?? OWN_HEALTH, () => ({
    ok: connected,
    workerId,
    master: masters.current,
    connected,
    draining: leaving || drainedByMaster,
    running: runner.running,
    capacity: options.capacity,
    logLinesDropped: shipper.dropped,
    metricPointsDropped: tools.telemetry.dropped,
    version: VERSION,
  }));
  const heartbeat = createHeartbeat();
  let heartbeatTimer: NodeJS.Timeout | undefined;
  let warming: NodeJS.Timeout | undefined;
  let url = '';
  const ended = Promise.withResolvers<void>();
  const joined = Promise.withResolvers<void>();
  // Whoever awaits them hears of a refusal; nobody has to.
  ended.promise.catch(() => {});
  joined.promise.catch(() => {});

  const link = openLink(
    { masters, socket: options.socket, token: options.token },
    {
      hello: () => ({
        t: 'hello',
        protocol: WORKER_PROTOCOL,
        workerId,
        version: VERSION,
        url,
        capacity: options.capacity,
        labels: options.labels,
        handlers: Object.keys(options.handlers),
        ahead: true,
        running: [...runner.heldLeases(), ...report.unconfirmed()],
      }),
      welcome(frame, wire) {
        workerId = frame.workerId;
        connected = true;
        drainedByMaster = false;
        applySettings(frame);
        shipper.setAddress(logAddress(frame.logstash, { ...options, master: masters.current }));
        tools.telemetry.attach(link.send);
        // The master may have died before it wrote down what it had heard of them.
        for (const { id, attempt, startedAt } of runner.runningTasks()) report.start(id, attempt, startedAt);
        report.attach(wire);
        heartbeatMs = frame.heartbeatSeconds * 1000;
        standing.attach(wire.confirm);
        clearInterval(heartbeatTimer);
        link.send(heartbeat(runner.running));
        heartbeatTimer = setInterval(() => link.send(heartbeat(runner.running)), frame.heartbeatSeconds * 1000).unref();
        if (leaving) link.send({ t: 'drain' });
        warming ??= setTimeout(tools.codeThreads.warm, WARM_MS).unref();
        joined.resolve();
      },
      frame: handleFrame,
      told: setHttpPolicy,
      answered: standing.answered,
      lost() {
        connected = false;
        clearInterval(heartbeatTimer);
        report.detach();
        standing.detach();
        tools.telemetry.detach();
      },
      refused(fault) {
        void stop();
        joined.reject(fault);
        ended.reject(fault);
      },
      log: options.log,
    },
  );
  health.then((served) => {
    url = served.url;
    link.open();
  }, link.fail);

  /** Also once another master is known: `http` nodes reach none of them. */
  function setHttpPolicy(): void {
    if (policy) tools.http.setPolicy(policy, masterPorts(policy, { masters: masters.all, socket: options.socket }));
  }

  function applySettings(frame: { limits: WorkerLimits; http: HttpPolicy }): void {
    Object.assign(limits, frame.limits);
    policy = frame.http;
    setHttpPolicy();
  }

  function handleFrame(frame: MasterFrame): void {
    if (frame.t === 'run') runner.run(frame.leases);
    else if (frame.t === 'commit') addCommit(frame.commit, frame.nodes);
    else if (frame.t === 'kill') runner.stop(frame.ids, frame.reason);
    else if (frame.t === 'lost') runner.loseLeases(frame.ids, frame.attempts);
    else if (frame.t === 'drain') drainedByMaster = true;
    else if (frame.t === 'limits') applySettings(frame);
    else if (frame.t === 'check') answerLeaseCheck(frame.leases);
  }

  /** What of these is held by nobody: it does not run or wait here, and nothing of it is still to be told. */
  function answerLeaseCheck(leases: readonly HeldLease[]): void {
    const without = (from: readonly HeldLease[], others: readonly HeldLease[]) => {
      const known = new Set(others.map(leaseKey));
      return from.filter((lease) => !known.has(leaseKey(lease)));
    };
    const missing = without(leases, runner.heldLeases());
    const gone = missing.length === 0 ? missing : without(missing, report.unconfirmed());
    if (gone.length > 0) link.send({ t: 'gone', leases: [...gone] });
  }

  /** Code that comes before the thread for it was started finds it on its way. */
  function addCommit(commit: string, nodes: LeasedNode[]): void {
    runner.addCommit(commit, nodes);
    if (nodes.some(({ type }) => type === 'code')) tools.codeThreads.warm();
  }

  async function stop(): Promise<void> {
    clearInterval(heartbeatTimer);
    clearTimeout(warming);
    // What is being closed keeps no process alive by itself: without this it would end in the middle.
    const stay = setInterval(() => {}, SHIP_CLOSE_MS);
    await Promise.all([
      tools.close(),
      shipper.close(SHIP_CLOSE_MS),
      health.then(
        (served) => served.close(),
        () => {},
      ),
    ]);
    clearInterval(stay);
  }

  function leave(): void {
    leaving = true;
    link.send({ t: 'drain' });
  }

  let closing: Promise<void> | null = null;
  async function close(seconds: number): Promise<void> {
    leave();
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([runner.idle(), new Promise((resolve) => (timer = setTimeout(resolve, seconds * 1000)))]);
    clearTimeout(timer);
    runner.stop(
      runner.heldLeases().map(({ id }) => id),
      'DRAIN',
    );
    tools.telemetry.flush();
    report.flush();
    await link.close();
    await stop();
    ended.resolve();
  }

  return {
    ready: joined.promise,
    get workerId() {
      return workerId ?? '';
    },
    get master() {
      return masters.current;
    },
    closed: ended.promise,
    async drain() {
      leave();
      await runner.idle();
    },
    close: (seconds) => (closing ??= close(seconds)),
  };
}

type HeldLease = ReturnType<ReturnType<typeof createRunner>['heldLeases']>[number];
const leaseKey = ({ id, attempt }: HeldLease): string => `${id} ${attempt}`;
