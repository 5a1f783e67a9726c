import { Fault } from '../../../lib/fault.ts';
import { errorMessage } from '../../../lib/errors.ts';
import { networkWords } from '../../../lib/remote-text.ts';

/** Characters of an error text that are repeated. */
const SHOWN = 500;

/** What an answer of the remote store means that is not 200. `query`: what it was asked. */
export function answerFault(status: number, body: string, query: string): Fault {
  const said = shown(body);
  const told = said === '' ? `status ${status}` : `${status}: ${said}`;
  if (status === 401 || status === 403)
    return new Fault(
      'LOGS_REFUSED',
      `VictoriaLogs refused the credentials (${told}): check YARDMASTER_LOGS_USER and YARDMASTER_LOGS_PASSWORD, or YARDMASTER_LOGS_TOKEN, of the master`,
    );
  if ((status === 400 || status === 422) && !/unsupported path|missing route/i.test(said))
    return new Fault('QUERY_INVALID', `VictoriaLogs does not accept the query: ${said}`, {
      extra: { position: positionOf(said, query) },
    });
  if (status === 413) return new Fault('QUERY_TOO_LARGE', `VictoriaLogs refused the query as too large (${told})`);
  if (status >= 300 && status < 500 && status !== 408 && status !== 429)
    return new Fault(
      'LOGS_REFUSED',
      `VictoriaLogs does not serve queries at this address (${told}): --logs must be its base URL, without /select`,
    );
  if (/timeout|timed out|deadline|duration/i.test(said) && status !== 429)
    return new Fault('QUERY_TIMEOUT', `VictoriaLogs gave the query up (${told}): narrow its time range`);
  if (status === 429 || (status === 503 && /concurren|couldn't start|too many|limit/i.test(said)))
    return new Fault('OVERLOADED', `VictoriaLogs is overloaded (${told}): try again in a moment`);
  return new Fault('LOGS_UNAVAILABLE', `VictoriaLogs failed (${told})`);
}

/** What it means that no answer came, or that one ended too early. */
export function connectionFault(error: unknown, begun: boolean): Fault {
  if (error instanceof Fault) return error;
  return new Fault(
    'LOGS_UNAVAILABLE',
    begun
      ? `VictoriaLogs broke its answer off (${errorMessage(error)}): try again`
      : `VictoriaLogs cannot be reached: ${networkWords(error)}`,
    { cause: error },
  );
}

/** What it means that a query was given up because its time was over; null: it was not. */
export const tooSlow = ({ aborted, reason }: AbortSignal): Fault | null =>
  aborted && reason instanceof DOMException && reason.name === 'TimeoutError'
    ? new Fault('QUERY_TIMEOUT', 'VictoriaLogs did not answer in time: narrow the time range, or try again later')
    : null;

/** What it means that an answer came and could not be made sense of: it has another shape than that of VictoriaLogs. */
export function unreadable(error: unknown): Error {
  if (error instanceof Fault || (error instanceof Error && error.name === 'AbortError')) return error;
  return new Fault(
    'LOGS_REFUSED',
    `VictoriaLogs answered with something that cannot be read (${shown(errorMessage(error))}): is --logs its base URL?`,
    { cause: error },
  );
}

/** Whether the store itself is in trouble, and not one query. */
export const isOfStore = (error: unknown): error is Fault =>
  error instanceof Fault && (error.code === 'LOGS_UNAVAILABLE' || error.code === 'LOGS_REFUSED');

const shown = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, SHOWN);

/** Where the query is wrong: VictoriaLogs repeats it up to there as the context of its message. */
function positionOf(said: string, query: string): number {
  const context = /; context: \[(.*)\]$/.exec(said)?.[1];
  if (context === undefined || context === '') return 0;
  const at = query.replace(/\s/g, ' ').indexOf(context);
  return at < 0 ? 0 : Math.min(query.length, at + context.length);
}
