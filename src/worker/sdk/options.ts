import { isRecord } from '../../lib/is-record.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { JoinOptions } from '../join.ts';
import type { CreateWorkerOptions, Handler, Handlers } from './api.ts';

const CAPACITY = { normal: 8, most: 10_000 };
const NAME_CHARS = 200;

/** The options of `createWorker` with their defaults. Throws a TypeError that names the faulty one. */
export function readOptions(options: CreateWorkerOptions): JoinOptions & { drainSeconds: number; signals: boolean } {
  if (typeof options !== 'object' || options === null)
    throw new TypeError('createWorker expects an object such as {master, token, handlers}');
  const {
    master,
    handlers,
    capacity = CAPACITY.normal,
    labels = {},
    logstash,
    drainSeconds = LIMITS.drainSeconds,
    signals = true,
  } = options;
  const token = options.token ?? process.env['YARDMASTER_WORKER_TOKEN'];
  const url = typeof master === 'string' ? URL.parse(master) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new TypeError(`master must be an http or https URL such as http://127.0.0.1:8700; got ${show(master)}`);
  if (typeof token !== 'string' || token === '')
    throw new TypeError(
      'no token: set a token with the role worker as `token` or in YARDMASTER_WORKER_TOKEN (create one with `yardmaster tokens create --name NAME --role worker`)',
    );
  if (!Number.isInteger(capacity) || capacity < 1 || capacity > CAPACITY.most)
    throw new TypeError(`capacity must be a whole number from 1 to ${CAPACITY.most}; got ${show(capacity)}`);
  if (!Object.values(labels).every((value) => typeof value === 'string'))
    throw new TypeError('labels must be an object of strings');
  if (!(typeof drainSeconds === 'number' && drainSeconds >= 0))
    throw new TypeError(`drainSeconds must be a number of at least 0; got ${show(drainSeconds)}`);
  const checked = checkHandlers(handlers);
  if (typeof checked === 'string') throw new TypeError(checked);
  return {
    master: url.origin,
    socket: null,
    token,
    capacity,
    handlers: checked,
    labels,
    logstash: logstash === undefined ? null : parseAddress(logstash),
    log: options.say ?? toStderr,
    drainSeconds,
    signals,
  };
}

/** The handlers, or what is wrong with them. */
export function checkHandlers(handlers: unknown): Handlers | string {
  if (!isRecord(handlers))
    return `handlers must be an object of functions by name; got ${Array.isArray(handlers) ? 'an array' : show(handlers)}`;
  const checked: Record<string, Handler> = {};
  for (const [name, handler] of Object.entries(handlers)) {
    if (!isHandler(handler))
      return `the handler ${JSON.stringify(name)} must be a function (input, ctx) => output; got ${show(handler)}`;
    if (name === '' || name.length > NAME_CHARS)
      return `a handler name must have 1 to ${NAME_CHARS} characters; ${JSON.stringify(name.slice(0, 50))} has ${name.length}`;
    checked[name] = handler;
  }
  return checked;
}

const isHandler = (value: unknown): value is Handler => typeof value === 'function';

function parseAddress(text: unknown): { host: string; port: number } {
  const [, host, digits] = (typeof text === 'string' && /^(\[[0-9a-fA-F:.]+\]|[^:[\]\s]+):(\d{1,5})$/.exec(text)) || [];
  if (host === undefined || !(Number(digits) >= 1 && Number(digits) <= 65_535))
    throw new TypeError(`logstash must be HOST:PORT such as 127.0.0.1:9000; got ${show(text)}`);
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(digits) };
}

const show = (value: unknown): string =>
  typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value));
const toStderr = (line: string): void => void process.stderr.write(`yardmaster worker: ${line}\n`);
