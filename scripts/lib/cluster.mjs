import { createHash } from 'node:crypto';
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { startBalancer } from './balancer.mjs';
import { ensureAccess, keptKeys } from './cluster-keys.mjs';
import { keepMaster } from './cluster-master.mjs';
import { failoverLines } from './failovers.mjs';
import { environmentOf, nodeOf } from './install.mjs';
import { nodeFlags } from './node-flags.mjs';
import { reachablePlace } from './postgres-binaries.mjs';
import { freePort, startPostgres } from './postgres.mjs';
import { Problem } from './problem.mjs';
import { hearStops } from './processes.mjs';

const LOOK_MS = 300;
const PATIENCE_MS = 1_000;
/** So many looks in a row without an answer, and a master is thought to hang. */
const SILENT_LOOKS = 2;
const START_MS = 180_000;

/**
 * `npm start -- --cluster`: a PostgreSQL, several masters that share it, and a balancer before them, all on this machine and in
 * `data`, until somebody stops it. Prints where it is and how to see a master die; starts again what died. Returns the exit code.
 */
export async function runCluster(root, options, log) {
  const { masters: count, workers, store, data, ports, rest } = options;
  const kept = await keptKeys(data, count);
  const stops = hearStops();
  const closing = [];
  try {
    log(`Starting ${store === null ? 'PostgreSQL, ' : ''}${count} masters and a balancer …`);
    const postgres = store === null ? await ownPostgres(data, log) : null;
    if (postgres) closing.push(() => postgres.stop());
    const balancer = await startBalancer({ ports });
    closing.push(() => balancer.close());
    const address = `http://127.0.0.1:${balancer.port}`;
    const watch = watchMasters({ balancer, adminToken: kept.adminToken, log });
    closing.push(() => watch.close());
    const masters = [];
    closing.push(() => Promise.all(masters.map((master) => master.stop())));
    stops.onAgain(() => masters.forEach((master) => void master.stop()));
    const firstWords = [];
    for (let i = 0; i < count; i++) {
      const name = `master ${i + 1}`;
      const master = keepMaster({
        command: nodeOf(root),
        args: [
          ...nodeFlags,
          join(root, 'out', 'main', 'cli.js'),
          'master',
          ...['--port', String(kept.keys.ports[i])],
          ...['--data', join(data, `master-${i + 1}`)],
          ...['--workers', String(Math.floor(workers / count) + (i < workers % count ? 1 : 0))],
          ...['--examples', join(root, 'resources', 'examples')],
          ...rest,
        ],
        env: {
          ...environmentOf(root),
          YARDMASTER_STORE: store ?? postgres.url,
          YARDMASTER_SECRETS_KEY: kept.secretsKey,
          YARDMASTER_ADMIN_TOKEN: kept.adminToken,
        },
        logFile: join(data, `master-${i + 1}.log`),
        onReady({ pid, url, again }) {
          watch.add({ name, pid, url });
          if (again) log(`${clock()} ${name} is back (pid ${pid}).`);
        },
        onEnd({ pid, how, words, restartMs }) {
          watch.remove(name);
          const said = words.map(inWords);
          firstWords[i] ??= `${name} ${how}:\n${said.map((line) => `  ${line}`).join('\n')}`;
          log(`${clock()} ${name} (pid ${pid}) ${how}. It starts again in ${restartMs / 1000} s.`);
          for (const line of how.startsWith('was ended by SIGKILL') ? [] : said) log(`           ${line}`);
        },
      });
      masters.push(master);
    }
    if (postgres) void postgres.ended.then(() => stops.asked || stops.stop('PostgreSQL ended by itself.'));
    const began = Date.now();
    while (!stops.asked && watch.inUse().length < count) {
      if (Date.now() - began > START_MS || firstWords.filter(Boolean).length === count)
        throw new Problem('The masters did not start.', firstWords.join('\n') || `See ${data}/master-*.log`);
      await Promise.race([watch.looked(), stops.heard]);
    }
    if (!stops.asked) {
      const access = await ensureAccess(kept, (path, body) => ask(address, kept.adminToken, path, body));
      const owner = await watch.tell();
      for (const line of greeting({ address, access, masters: watch.inUse(), owner, postgres, store, data })) log(line);
      const why = await stops.heard;
      log(why ? `${why} Stopping.` : 'Stopping: waiting for running tasks. Press Ctrl-C again to stop immediately.');
      return why ? 1 : 0;
    }
    return 0;
  } finally {
    for (const close of closing.reverse()) await close();
    stops.close();
  }
}

async function ownPostgres(data, log) {
  const wanted = join(data, 'postgres');
  const place = reachablePlace(wanted, `postgres-${createHash('sha256').update(wanted).digest('hex').slice(0, 12)}`);
  if (place !== wanted) {
    log(`PostgreSQL does not run as root, and no other user may enter ${data}: its data is in ${place}.`);
    if (!existsSync(wanted)) symlinkSync(place, wanted);
  }
  return startPostgres({ folder: place, port: await freePort() });
}

/** Asks the API, as administrator; an answer of 400 or more is an error with what it says. */
async function ask(address, token, path, body) {
  const answer = await fetch(address + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  if (!answer.ok) throw new Problem(`${path} answered ${answer.status}.`, await answer.text());
  return answer.json();
}

/** Keeps the balancer to the masters that answer, and tells where the ownership moves. */
function watchMasters({ balancer, adminToken, log }) {
  /** By name, in the order of their names. */
  const known = new Map();
  const usable = () => [...known.values()].filter(({ ready }) => ready).sort((a, b) => a.name.localeCompare(b.name));
  const apply = () => balancer.use(usable().map(({ url }) => Number(new URL(url).port)));
  /** Set once failovers are to be told. */
  let failovers = null;
  let on = true;
  let looking = Promise.resolve();

  async function look(master) {
    try {
      const { status } = await fetch(`${master.url}/readyz`, { signal: AbortSignal.timeout(PATIENCE_MS) });
      master.silent = 0;
      master.ready = status === 200;
    } catch {
      // Busy for a moment, frozen, or gone.
      if (++master.silent >= SILENT_LOOKS) master.ready = false;
    }
  }
  async function cluster() {
    for (const { url } of usable()) {
      try {
        return await ask(url, adminToken, '/api/v1/cluster');
      } catch {
        // Another one may answer.
      }
    }
    return null;
  }
  const nameOf = (state, id) => {
    const url = state.masters.find((master) => master.id === id)?.url;
    return [...known.values()].find((master) => master.url === url)?.name ?? id;
  };
  const ownerIn = (state) => {
    const id = state?.partitions[0]?.owner ?? null;
    return id === null || state.mode === 'single' ? null : nameOf(state, id);
  };
  async function tellFailovers() {
    const state = await cluster();
    const [last] = state?.failovers ?? [];
    const line = failovers(last, last ? nameOf(state, last.to) : '');
    if (line !== null) log(`${clock()} ${line}`);
  }
  const loop = async () => {
    while (on) {
      looking = Promise.all([...known.values()].map(look)).then(apply);
      await looking;
      if (failovers) await tellFailovers();
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  };
  const running = loop();
  return {
    add(master) {
      known.set(master.name, { ...master, ready: false, silent: 0 });
    },
    remove(name) {
      known.delete(name);
      apply();
    },
    inUse: usable,
    looked: async () => {
      await looking;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    },
    /** Who owns the state, by name. Each failover after this one is told, also where it happens before the next look. */
    async tell() {
      const state = await cluster();
      failovers = failoverLines(state?.failovers[0]?.epoch ?? 0);
      return ownerIn(state);
    },
    async close() {
      on = false;
      await running;
    },
  };
}

/** A fault is told as JSON to programs. */
function inWords(line) {
  try {
    return JSON.parse(line).detail ?? line;
  } catch {
    return line;
  }
}

const clock = () => new Date().toTimeString().slice(0, 8);

function greeting({ address, access, masters, owner, postgres, store, data }) {
  const owning = masters.find(({ name }) => name === owner);
  const database = new URL(postgres?.url ?? store);
  database.password = '';
  return [
    '',
    `Yardmaster is running: ${masters.length} masters that share one PostgreSQL.`,
    `  Console    ${address}/#sign-in=${access.consoleToken}`,
    ...masters.map(
      ({ name, pid, url }, i) =>
        `  ${i === 0 ? 'Masters' : '       '}    ${name}  ${url}  pid ${pid}${name === owner ? '  (owns the state)' : ''}`,
    ),
    `  PostgreSQL ${database.href}${postgres ? `  pid ${postgres.pid}` : ''}`,
    `  Data       ${data} (what the masters say: master-*.log)`,
    '',
    'Try it:',
    `  curl -sS ${address}/api/v1/events/shout/dev -H 'api-key: ${access.apiKey}' -H 'content-type: application/json' -d '[{"content":"hello"}]'`,
    '',
    'See a master die (it is started again after some seconds):',
    ...(owning
      ? [`  kill -9 ${owning.pid}        # the owner: another one takes over`]
      : masters.map(({ name, pid }) => `  kill -9 ${pid}        # ${name}`)),
    '',
    'Press Ctrl-C to stop everything.',
    '',
  ];
}
