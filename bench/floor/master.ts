import { ADDRESSES } from '../../src/contract/addresses.ts';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import fastify from 'fastify';
import { WebSocketServer, type WebSocket } from 'ws';
import { uuidv7 } from '../../src/lib/uuid.ts';

/**
 * The floor: the least that the walk of an event can do and still be what it is. HTTP in, a key looked up, one job and
 * two tasks made durable, both leased at once to one worker process over a WebSocket, both results and the job's end
 * made durable, the output answered. Group commit as in the product. No schema check, no routing of workflows, no
 * history, no metrics, no logs, no retries. What the product needs beyond this is what its ratio to the floor shows.
 */
const [data = '.', durability = 'normal'] = process.argv.slice(2);
const db = new Database(join(data, 'floor.db'));
db.pragma('journal_mode = WAL');
db.pragma(`synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}`);
db.pragma('cache_size = -65536');
db.pragma('wal_autocheckpoint = 4000');
db.exec(`
  CREATE TABLE job (id TEXT PRIMARY KEY, status TEXT NOT NULL, output TEXT, created_at INTEGER NOT NULL, finished_at INTEGER) STRICT, WITHOUT ROWID;
  CREATE TABLE task (id TEXT PRIMARY KEY, job_id TEXT NOT NULL, node TEXT NOT NULL, state TEXT NOT NULL, attempt INTEGER NOT NULL, input TEXT, output TEXT, ready_at INTEGER NOT NULL, finished_at INTEGER) STRICT, WITHOUT ROWID;
  CREATE INDEX task_open ON task (state) WHERE state <> 'COMPLETED';
`);
const begin = db.prepare('BEGIN IMMEDIATE');
const commit = db.prepare('COMMIT');
const insertJob = db.prepare("INSERT INTO job VALUES (?, 'RUNNING', NULL, ?, NULL)");
const insertTask = db.prepare("INSERT INTO task VALUES (?, ?, ?, 'SCHEDULED', 1, ?, NULL, ?, NULL)");
const endTask = db.prepare(
  "UPDATE task SET state = 'COMPLETED', output = ?, finished_at = ? WHERE id = ? AND state = 'SCHEDULED' AND attempt = 1",
);
const endJob = db.prepare("UPDATE job SET status = 'COMPLETED', output = ?, finished_at = ? WHERE id = ?");

/** All that arrives in one turn shares a transaction. */
let queue: { write: () => void; done: () => void }[] = [];
function write(command: () => void, done: () => void) {
  queue.push({ write: command, done });
  if (queue.length === 1) setImmediate(flush);
}
function flush() {
  const batch = queue;
  queue = [];
  begin.run();
  for (const one of batch) one.write();
  commit.run();
  for (const one of batch) one.done();
  sendLeases();
}

export interface FloorLease {
  job: string;
  tasks: [string, string];
  input: unknown;
}
export interface FloorReport {
  job: string;
  tasks: [string, string];
  outputs: [string, string];
}

const waiting = new Map<string, (output: string) => void>();
let leases: FloorLease[] = [];
let worker: WebSocket | null = null;
function sendLeases() {
  if (leases.length === 0) return;
  worker?.send(JSON.stringify(leases));
  leases = [];
}

const KEYS = new Set(['ym_floor']);
const app = fastify({ logger: false });
app.post(ADDRESSES['events.send'][1], (request, reply) => {
  if (!KEYS.has(request.headers['api-key'] as string)) return reply.code(401).send({ code: 'API_KEY_INVALID' });
  const input = (request.body as unknown[])[0];
  const text = JSON.stringify(input);
  const lease: FloorLease = { job: uuidv7(), tasks: [uuidv7(), uuidv7()], input };
  write(
    () => {
      const now = Date.now();
      insertJob.run(lease.job, now);
      insertTask.run(lease.tasks[0], lease.job, 'upper', text, now);
      insertTask.run(lease.tasks[1], lease.job, 'shout', null, now);
    },
    () => leases.push(lease),
  );
  waiting.set(
    lease.job,
    (output) =>
      void reply.header('content-type', 'application/json; charset=utf-8').header('x-job-id', lease.job).send(output),
  );
  return reply;
});

function settle(reports: FloorReport[]) {
  for (const { job, tasks, outputs } of reports) {
    const output = `[${outputs[1]}]`;
    write(
      () => {
        const now = Date.now();
        endTask.run(outputs[0], now, tasks[0]);
        endTask.run(outputs[1], now, tasks[1]);
        endJob.run(output, now, job);
      },
      () => {
        waiting.get(job)?.(output);
        waiting.delete(job);
      },
    );
  }
}

await app.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.server.address() as { port: number };
new WebSocketServer({ server: app.server, perMessageDeflate: false }).on('connection', (socket) => {
  worker = socket;
  socket.on('message', (frame: Buffer) => settle(JSON.parse(frame.toString()) as FloorReport[]));
  process.stdout.write(`${JSON.stringify({ port })}\n`);
});
const child = spawn(
  process.execPath,
  [fileURLToPath(new URL('worker.ts', import.meta.url)), `ws://127.0.0.1:${port}`],
  { stdio: ['pipe', 'ignore', 'inherit'] },
);
process.on('SIGTERM', () => {
  child.kill();
  process.exit(0);
});
