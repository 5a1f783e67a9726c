import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { Problem } from './problem.mjs';

const MASTERS = 3;
const MOST_MASTERS = 9;
const WORKERS = 4;
const PORT = 8700;
const PORTS = 20;
/** What three masters on one machine cannot all have, or what the balancer would have to understand. */
const NOT_SHARED = ['--tls-cert', '--tls-key', '--host', '--behind-proxy', '--json', '--exit-with-parent'];
const PORT_FLAGS = ['--log-store-port', '--metrics-port', '--logstash-port'];

/**
 * `npm start -- --cluster [N] [--store postgres://…] [--workers N] [--data DIR] [--port N]`, and other options of
 * `yardmaster master` for each of them. Null: no cluster was asked for. `store` null: a PostgreSQL of our own. `workers` are those
 * of all masters together; `ports`: those that the balancer may take. Throws `Problem` where an option is not for several masters.
 */
export function clusterOptions(args, env = process.env) {
  const given = args.flatMap((arg) =>
    /^--[^=]+=/.test(arg) ? [arg.split('=', 1)[0], arg.slice(arg.indexOf('=') + 1)] : [arg],
  );
  const at = given.indexOf('--cluster');
  if (at < 0) return null;
  const count = /^\d+$/.test(given[at + 1] ?? '') ? given[at + 1] : null;
  given.splice(at, count === null ? 1 : 2);
  const take = (flag) => {
    const found = given.indexOf(flag);
    if (found < 0) return null;
    const [, value] = given.splice(found, 2);
    if (value === undefined) throw new Problem(`${flag} needs a value.`);
    return value;
  };
  const masters = whole('--cluster', count ?? String(MASTERS), 1, MOST_MASTERS);
  const workers = whole('--workers', take('--workers') ?? String(WORKERS), 0, 256);
  const port = take('--port');
  const store = take('--store') ?? (env.YARDMASTER_STORE || null);
  const data = take('--data');
  if (store !== null && !/^postgres(ql)?:\/\//.test(store))
    throw new Problem(
      `--cluster shares a PostgreSQL: expected --store postgres://…, got "${store}".`,
      'Leave --store out, and one is started here.',
    );
  const bad = given.find((arg) => NOT_SHARED.includes(arg));
  if (bad !== undefined)
    throw new Problem(
      `${bad} is not for masters that npm start puts behind a balancer on this machine.`,
      'Start them one by one with `yardmaster master --store postgres://…`.',
    );
  for (const flag of PORT_FLAGS)
    if (given.includes(flag) && given[given.indexOf(flag) + 1] !== '0')
      throw new Problem(`${flag} would be the same port for every master.`, 'Leave it out, and each takes a free one.');
  const first = whole('--port', port ?? String(PORT), 0, 65_535);
  return {
    masters,
    workers,
    store,
    data: data === null ? defaultFolder(env) : resolve(data),
    ports: port === null ? Array.from({ length: PORTS }, (_, i) => first + i) : [first],
    rest: given,
  };
}

function whole(flag, text, least, most) {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < least || number > most)
    throw new Problem(`${flag} expects a number from ${least} to ${most}, got "${text}".`);
  return number;
}

/** Beside the data of a single master (src/lib/folders.ts), which must not be taken for that of a cluster. */
function defaultFolder(env) {
  if (env.YARDMASTER_DATA) return resolve(`${env.YARDMASTER_DATA}-cluster`);
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Yardmaster-cluster');
  if (process.platform === 'win32')
    return join(env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Yardmaster-cluster');
  return join(env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'yardmaster-cluster');
}
