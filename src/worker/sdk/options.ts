import { isRecord } from '../../lib/is-record.ts';
import { LIMITS } from '../../contract/limits.ts';
import { parsePipelineAddress, PIPELINE_ADDRESS, type PipelineAddress } from '../../lib/pipeline-address.ts';
import { isOwnHost, isSentInClear } from '../../lib/plain-url.ts';
import type { JoinOptions } from '../join.ts';
import type { CreateWorkerOptions, Handler, Handlers } from './api.ts';

const CAPACITY = { normal: 8, most: 10_000 };
const NAME_CHARS = 200;
/** What switches an environment variable off. */
const OFF = new Set(['', '0', 'false', 'no', 'off']);

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
    allowPlain = !OFF.has((process.env['YARDMASTER_ALLOW_PLAIN'] ?? '').toLowerCase()),
    drainSeconds = LIMITS.drainSeconds,
    signals = true,
  } = options;
  const token = options.token ?? process.env['YARDMASTER_WORKER_TOKEN'];
  const [first, ...others] = mastersOf(master);
  if (first === undefined)
    throw new TypeError(
      `master must be an http or https URL such as http://127.0.0.1:8700, or a list of them; got ${show(master)}`,
    );
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
  const pipeline = logstash === undefined ? null : parseAddress(logstash);
  if (!allowPlain) {
    const clear = [first, ...others].find(isSentInClear);
    if (clear !== undefined)
      throw new TypeError(
        `${clear} is on another machine and not encrypted: anyone on the way could read the token, payloads and secrets. Use https://, or accept this with allowPlain: true`,
      );
    if (pipeline && !pipeline.tls && !isOwnHost(pipeline.host))
      throw new TypeError(
        `the log pipeline on ${pipeline.host} is on another machine and the connection not encrypted. Use tls://HOST:PORT, or accept this with allowPlain: true`,
      );
  }
  const checked = checkHandlers(handlers);
  if (typeof checked === 'string') throw new TypeError(checked);
  return {
    master: first,
    others,
    socket: null,
    follows: true,
    token,
    capacity,
    handlers: checked,
    labels,
    logstash: pipeline && { ...pipeline, token: process.env['YARDMASTER_LOGSTASH_TOKEN'] || null },
    log: options.say ?? toStderr,
    drainSeconds,
    signals,
  };
}

/** Origins; none where one of them is no address of a master. */
function mastersOf(given: unknown): string[] {
  const texts: unknown[] = Array.isArray(given) ? given : typeof given === 'string' ? given.split(',') : [];
  const urls = texts.map((text) => (typeof text === 'string' ? URL.parse(text.trim()) : null));
  const origins = urls.flatMap((url) => (url && /^https?:$/.test(url.protocol) ? [url.origin] : []));
  return origins.length === urls.length ? origins : [];
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

function parseAddress(text: unknown): PipelineAddress {
  const address = typeof text === 'string' ? parsePipelineAddress(text) : null;
  if (address === null) throw new TypeError(`logstash must be ${PIPELINE_ADDRESS}; got ${show(text)}`);
  return address;
}

const show = (value: unknown): string =>
  typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value));
const toStderr = (line: string): void => void process.stderr.write(`yardmaster worker: ${line}\n`);
