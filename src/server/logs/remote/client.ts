import { createRemoteHttp, type RemoteResponse, type RemoteTarget } from '../../../lib/remote-http.ts';
import { Fault } from '../../../lib/fault.ts';
import { parseJson } from '../../../lib/json.ts';
import { answerFault, connectionFault, isOfStore, tooSlow } from './faults.ts';
import { linesOf } from './lines.ts';
import type { RemoteQuery } from './query.ts';

/** What the store elsewhere is asked. Throws `Fault`s: QUERY_INVALID, QUERY_TIMEOUT, OVERLOADED, LOGS_UNAVAILABLE, LOGS_REFUSED, … */
export interface LogsClient {
  /** The bytes of an answer as they come; whoever takes them slowly slows the store down. */
  bytes(question: RemoteQuery, signal: AbortSignal): AsyncGenerator<Buffer>;
  /** The same as lines, some at a time. */
  lines(question: RemoteQuery, signal: AbortSignal): AsyncGenerator<string[]>;
  /** Lines as they arrive there, without an end. `opened`: it answers. */
  tail(question: RemoteQuery, backMs: number, opened: () => void, signal: AbortSignal): AsyncGenerator<string[]>;
  /** An answer in one piece. `more`: arguments beside the query. */
  json<T>(path: 'hits', question: RemoteQuery, more: Readonly<Record<string, string>>, signal: AbortSignal): Promise<T>;
  /** A small question that shows whether queries are answered. */
  probe(signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Told of how the store does. */
export interface Watch {
  answered(): void;
  failed(fault: Fault): void;
}

const PATH = '/select/logsql/';
/** Connections at once; live tails hold one each. */
const CONNECTIONS = 128;
/** A store that gives the query up says so within this time. */
const SPARE_MS = 5000;
const PROBE_MS = 5000;
const ERROR_CHARACTERS = 4096;
/** Characters of an answer in one piece, and of a line. */
const ANSWER_CHARACTERS = 64 * 1024 * 1024;
/** How often a tail is looked after, and how long its lines are left to become visible. */
const TAIL_MS = 1000;

export function createLogsClient(target: RemoteTarget, watch: Watch): LogsClient {
  const http = createRemoteHttp(target, CONNECTIONS);

  async function ask(
    path: string,
    question: RemoteQuery,
    more: Readonly<Record<string, string>>,
    idleMs: number,
    signal: AbortSignal,
  ): Promise<RemoteResponse> {
    const args = new URLSearchParams({ query: question.query, time: new Date(question.now).toISOString(), ...more });
    for (const filter of question.extraFilters) args.append('extra_filters', filter);
    const response = await http
      .request({
        method: 'POST',
        path: PATH + path,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: args.toString(),
        signal,
        idleMs,
      })
      .catch((error: unknown) => {
        throw told(connectionFault(error, false), signal);
      });
    if (response.status === 200) return response;
    const text = await response.text(ERROR_CHARACTERS).catch(() => '');
    throw told(answerFault(response.status, text, question.query), signal);
  }
  /** What was given up here says nothing of the store, but that it is slow. */
  function told(fault: Fault, signal: AbortSignal): Fault {
    if (isOfStore(fault) && !signal.aborted) watch.failed(fault);
    return (isOfStore(fault) && tooSlow(signal)) || fault;
  }

  async function* bytes(
    path: string,
    question: RemoteQuery,
    more: Readonly<Record<string, string>>,
    idleMs: number,
    signal: AbortSignal,
    opened = () => {},
  ): AsyncGenerator<Buffer> {
    const { body } = await ask(path, question, more, idleMs, signal);
    opened();
    watch.answered();
    try {
      // Without an encoding it gives buffers.
      for await (const chunk of body as AsyncIterable<Buffer>) yield chunk;
    } catch (error) {
      throw told(connectionFault(error, true), signal);
    } finally {
      body.destroy();
    }
  }
  const limited = ({ timeoutMs }: RemoteQuery) => ({ timeout: `${Math.max(1, Math.ceil(timeoutMs / 1000))}s` });

  return {
    bytes: (question, signal) => bytes('query', question, limited(question), question.timeoutMs + SPARE_MS, signal),
    lines: (question, signal) =>
      linesOf(bytes('query', question, limited(question), question.timeoutMs + SPARE_MS, signal)),
    tail: (question, backMs, opened, signal) =>
      linesOf(
        bytes(
          'tail',
          question,
          { refresh_interval: `${TAIL_MS}ms`, offset: `${TAIL_MS}ms`, start_offset: `${backMs}ms` },
          0,
          signal,
          opened,
        ),
      ),
    async json<T>(path: 'hits', question: RemoteQuery, more: Readonly<Record<string, string>>, signal: AbortSignal) {
      const response = await ask(
        path,
        question,
        { ...limited(question), ...more },
        question.timeoutMs + SPARE_MS,
        signal,
      );
      let text: string;
      try {
        text = await response.text(ANSWER_CHARACTERS);
      } catch (error) {
        throw told(connectionFault(error, true), signal);
      }
      if (text.length >= ANSWER_CHARACTERS)
        throw new Fault('QUERY_TOO_LARGE', 'the answer of VictoriaLogs is too large: narrow the query');
      watch.answered();
      try {
        return parseJson<T>(text);
      } catch {
        throw told(
          new Fault(
            'LOGS_REFUSED',
            `VictoriaLogs answered with something else than JSON (${text.slice(0, 100)}): is --logs its base URL?`,
          ),
          signal,
        );
      }
    },
    async probe(signal) {
      const question = { query: '_time:10s | limit 1', extraFilters: [], now: Date.now(), timeoutMs: PROBE_MS };
      for await (const _ of bytes('query', question, limited(question), PROBE_MS, signal)) continue;
    },
    close: () => http.close(),
  };
}
