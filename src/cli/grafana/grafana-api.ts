import { errorMessage } from '../../lib/errors.ts';
import { Fault } from '../../lib/fault.ts';
import { isRecord } from '../../lib/is-record.ts';

/** The HTTP API of a Grafana; paths are below `/api`. */
export interface GrafanaApi {
  readonly url: string;
  /** The answer's JSON; null where there is nothing at that path. Throws GRAFANA_REFUSED and GRAFANA_UNREACHABLE. */
  get(path: string): Promise<unknown>;
  send(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<unknown>;
}

const PATIENCE_MS = 30_000;
/** Bytes of an answer: what is longer is from no Grafana, and may have no end. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Characters of an answer that are shown. */
const SHOWN = 300;

/** `token`: of a service account with the role Admin. It is sent to this address alone. */
export function createGrafanaApi(address: string, token: string): GrafanaApi {
  const url = address.replace(/\/+$/, '');

  async function ask(method: string, path: string, body?: object): Promise<{ status: number; text: string }> {
    try {
      const answer = await fetch(`${url}/api${path}`, {
        method,
        redirect: 'manual',
        signal: AbortSignal.timeout(PATIENCE_MS),
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          // What is made so can be changed in Grafana's own pages too.
          'x-disable-provenance': 'true',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, text: await textOf(answer) };
    } catch (error) {
      throw new Fault('GRAFANA_UNREACHABLE', `Grafana at ${url} does not answer: ${errorMessage(error)}`);
    }
  }

  function refused(method: string, path: string, { status, text }: { status: number; text: string }): Fault {
    const said = messageOf(text);
    const hint =
      status === 401
        ? ': the token is not valid; create one in Grafana under Administration, Service accounts'
        : status === 403
          ? ': the service account needs the role Admin'
          : '';
    return new Fault('GRAFANA_REFUSED', `Grafana answered ${status} to ${method} /api${path}${said}${hint}`);
  }

  return {
    url,
    async get(path) {
      const answer = await ask('GET', path);
      if (answer.status === 404) return null;
      if (answer.status !== 200) throw refused('GET', path, answer);
      return parsed(url, answer.text);
    },
    async send(method, path, body) {
      const answer = await ask(method, path, body);
      // What is to be removed is gone.
      if (method === 'DELETE' && answer.status === 404) return null;
      if (answer.status < 200 || answer.status > 299) throw refused(method, path, answer);
      return answer.text === '' ? null : parsed(url, answer.text);
    },
  };
}

async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk as Uint8Array);
    bytes += (chunk as Uint8Array).length;
    if (bytes > MOST_BYTES) throw new Error(`its answer has more than ${MOST_BYTES} bytes`);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(url: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Fault('GRAFANA_REFUSED', `${url} did not answer with JSON: it may not be the address of a Grafana`);
  }
}

function messageOf(text: string): string {
  try {
    const answer: unknown = JSON.parse(text);
    if (isRecord(answer) && typeof answer['message'] === 'string') return ` (${answer['message'].slice(0, SHOWN)})`;
  } catch {
    // A page of something else.
  }
  return '';
}
