import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAnyMaster, isRepeatable, neverArrived, noOwnerWait } from './any-master.ts';

const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
const problem = (code: string, after = '0') =>
  new Response(JSON.stringify({ code }), {
    status: 503,
    headers: { 'content-type': 'application/problem+json', 'retry-after': after },
  });

/** Masters that answer as told, the last saying for ever; each request is noted. */
function cluster(says: Readonly<Record<string, readonly (string | Error | Response)[]>>, now?: () => number) {
  const asked: string[] = [];
  const left = new Map(Object.entries(says).map(([name, answers]) => [name, [...answers]]));
  const masters = createAnyMaster(Object.keys(says), { isAlive: async () => true, ...(now && { now }) });
  const get = (repeatable = true) =>
    masters.send({
      repeatable,
      async attempt(name) {
        asked.push(name);
        const answers = left.get(name) ?? [];
        const said = answers.length > 1 ? answers.shift() : answers[0];
        if (said instanceof Error) throw said;
        return typeof said === 'string' ? new Response(said) : (said as Response).clone();
      },
      waitOf: noOwnerWait,
    });
  const text = async (repeatable?: boolean) => (await get(repeatable)).text();
  return { asked, masters, get, text };
}

describe('a request to any of several masters', () => {
  it('goes to the first one, and stays with the one that served', async () => {
    const { asked, text } = cluster({ a: [refused], b: ['from b'] });
    expect([await text(), await text()]).toEqual(['from b', 'from b']);
    expect(asked).toEqual(['a', 'b', 'b']);
  });

  it('comes back to an earlier one where a later one is gone', async () => {
    const { asked, text } = cluster({ a: [refused, 'from a'], b: ['from b', refused] });
    expect([await text(), await text()]).toEqual(['from b', 'from a']);
    expect(asked).toEqual(['a', 'b', 'b', 'a']);
  });

  it('fails with the last error after one round where none can be reached, and tries them all again with the next', async () => {
    const { asked, text } = cluster({ a: [refused], b: [refused, refused, 'back'] });
    await expect(text()).rejects.toBe(refused);
    await expect(text()).rejects.toBe(refused);
    expect(await text()).toBe('back');
    expect(asked).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
  });

  it('is sent once more to the only one where the connection was cut, as of an idle one that the master closed just then', async () => {
    const { asked, text } = cluster({ a: [reset, 'from a', reset] });
    expect(await text()).toBe('from a');
    await expect(text()).rejects.toBe(reset);
    expect(asked).toEqual(['a', 'a', 'a', 'a']);
  });

  it('is never sent twice where it may have been done; the next one goes elsewhere', async () => {
    const { asked, text } = cluster({ a: [reset], b: ['from b'] });
    await expect(text(false)).rejects.toBe(reset);
    expect(asked).toEqual(['a']);
    expect(await text(false)).toBe('from b');
    // What never arrived was not done.
    const other = cluster({ a: [refused], b: ['from b'] });
    expect(await other.text(false)).toBe('from b');
  });

  it('waits as told while nobody owns the state, asks the same one again, and then the next', async () => {
    const { asked, text } = cluster({ a: [problem('NO_OWNER')], b: [problem('NO_OWNER'), 'from b'] });
    expect(await text()).toBe('from b');
    expect(asked).toEqual(['a', 'a', 'b', 'b']);
  });

  it('is told of a missing owner where it may have been done before that one was lost; the next but one goes elsewhere', async () => {
    const { asked, get, text } = cluster({ a: [problem('NO_OWNER')], b: ['from b'] });
    expect([(await get(false)).status, (await get(false)).status]).toEqual([503, 503]);
    expect(await text(false)).toBe('from b');
    expect(asked).toEqual(['a', 'a', 'b']);
  });

  it('gives up waiting after a while, and says what the master said', async () => {
    const world: ReturnType<typeof cluster> = cluster({ a: [problem('NO_OWNER')] }, () => world.asked.length * 4000);
    const answer = await world.get();
    expect([answer.status, await answer.json()]).toEqual([503, { code: 'NO_OWNER' }]);
    expect(world.asked).toHaveLength(4);
  });

  it('takes any other answer as it is, whole', async () => {
    const { asked, get } = cluster({ a: [problem('OVERLOADED')], b: ['from b'] });
    expect(await (await get()).json()).toEqual({ code: 'OVERLOADED' });
    expect(asked).toEqual(['a']);
    const page = new Response('x'.repeat(200_000), { status: 503, headers: { 'content-type': 'application/json' } });
    const long = await cluster({ a: [page] }).get();
    expect(await long.text()).toHaveLength(200_000);
  });

  it('ends at once where whoever asked wants it no more', async () => {
    const stop = new AbortController();
    const masters = createAnyMaster(['a', 'b'], { isAlive: async () => true });
    const asked: string[] = [];
    const sent = masters.send({
      repeatable: true,
      signal: stop.signal,
      async attempt(name) {
        asked.push(name);
        return problem('NO_OWNER', '5');
      },
      waitOf: async (answer) => {
        setImmediate(() => stop.abort(new Error('enough')));
        return noOwnerWait(answer);
      },
    });
    await expect(sent).rejects.toThrow('enough');
    expect(asked).toEqual(['a']);
  });

  it('always ends, with an answer of a living master where there is one', async () => {
    const said = fc.constantFrom('ok', 'refused', 'orphaned');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(said, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
        async (plans) => {
          const names = plans.map((_, i) => `m${i}`);
          const { text } = cluster(
            Object.fromEntries(
              plans.map((plan, i) => [
                names[i] ?? '',
                [
                  ...plan.map((one) => (one === 'ok' ? 'ok' : one === 'refused' ? refused : problem('NO_OWNER'))),
                  ...(i === 0 ? ['ok'] : [refused]),
                ],
              ]),
            ),
          );
          // The first master comes back in the end: after at most as many tries as were planned, so does the answer.
          let answer = null;
          for (let tries = 0; answer === null && tries < 13; tries++) answer = await text().catch(() => null);
          expect(answer).toBe('ok');
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('a master that says nothing more', () => {
  async function serve(answer: RequestListener) {
    const server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => (server.closeAllConnections(), void server.close()));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const send = async (urls: string[], repeatable: boolean, isAlive: (url: string) => boolean) => {
    const masters = createAnyMaster(urls, { silentMs: 20, isAlive: async (url) => isAlive(url) });
    const answer = await masters.send({
      repeatable,
      attempt: (url, signal) => fetch(`${url}/slow`, { signal }),
      waitOf: noOwnerWait,
    });
    return answer.text();
  };

  it('is left for the next one where it is frozen, and what may have been done is told as failed', async () => {
    const frozen = await serve(() => {});
    const healthy = await serve((_request, response) => void response.end('healthy'));
    const isAlive = (url: string) => url !== frozen;
    expect(await send([frozen, healthy], true, isAlive)).toBe('healthy');
    await expect(send([frozen, healthy], false, isAlive)).rejects.toThrow('does not respond');
  });

  it('is waited for where it lives and only takes its time', async () => {
    let finish = (): void => {};
    const slow = await serve((_request, response) => void (finish = () => response.end('slow')));
    const other = await serve((_request, response) => void response.end('other'));
    let looks = 0;
    const isAlive = () => {
      if (++looks === 3) finish();
      return true;
    };
    expect(await send([slow, other], true, isAlive)).toBe('slow');
    expect(looks).toBeGreaterThanOrEqual(3);
  });
});

it('knows what may be repeated, and what never arrived', () => {
  expect(isRepeatable('GET', new Headers())).toBe(true);
  expect(isRepeatable('POST', new Headers())).toBe(false);
  expect(isRepeatable('POST', new Headers({ 'idempotency-key': 'a' }))).toBe(true);
  expect(neverArrived(new TypeError('fetch failed', { cause: refused }))).toBe(true);
  expect(neverArrived(new Error('net::ERR_CONNECTION_REFUSED'))).toBe(true);
  expect(neverArrived(new Error('net::ERR_CONNECTION_RESET'))).toBe(false);
  expect(neverArrived(reset)).toBe(false);
});
