import { afterAll, beforeAll, expect } from 'vitest';
import type { RunningMaster } from '../../contract/process.ts';
import type { Role } from '../../contract/vocabulary.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';
import { openMaster } from '../master.fixture.ts';

/** Bytes that a body may have in these tests. */
export const MAX_BODY_BYTES = 100_000;
export const WRITE = '/api/v2/write?org=yardmaster&bucket=metrics';

/** A master for all tests of a file, and what is asked of its metric port. */
export function useMetricListener() {
  let master: RunningMaster;
  let base: string;
  let admin: string;

  beforeAll(async () => {
    master = await openMaster({ data: temporaryFolder('influx'), limits: { influxBodyBytes: MAX_BODY_BYTES } });
    base = `http://127.0.0.1:${master.ready.ports.metrics}`;
    admin = master.ready.token;
  });
  afterAll(() => master.close());

  const ask = (path: string, options: RequestInit & { token?: string | null } = {}) =>
    fetch(base + path, {
      ...options,
      headers: {
        ...(options.token === null ? {} : { authorization: `Token ${options.token ?? admin}` }),
        ...(options.headers as Record<string, string>),
      },
    });
  const write = (body: string | Uint8Array<ArrayBuffer>, path = WRITE, headers: Record<string, string> = {}) =>
    ask(path, { method: 'POST', body, headers });
  const query = (text: string, more: object = {}) =>
    ask('/api/v2/query?org=yardmaster', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: text, type: 'flux', ...more }),
    });
  const tokenOf = async (role: Role) =>
    (
      (await (
        await fetch(`${master.ready.url}/api/v1/tokens`, {
          method: 'POST',
          headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
          body: JSON.stringify({ name: `${role}-${Math.random()}`, role }),
        })
      ).json()) as { token: string }
    ).token;
  const refused = async (answer: Response) => {
    const body = (await answer.json()) as { code: string; message: string };
    expect(Object.keys(body)).toEqual(['code', 'message']);
    expect(answer.headers.get('x-platform-error-code')).toBe(body.code);
    return [answer.status, body.code, body.message] as const;
  };

  return {
    ask,
    write,
    query,
    tokenOf,
    refused,
    get master() {
      return master;
    },
    get base() {
      return base;
    },
    get admin() {
      return admin;
    },
  };
}
