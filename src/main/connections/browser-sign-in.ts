import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { pathTo } from '../../lib/api-client.ts';
import { Fault } from '../../lib/fault.ts';
import { isRecord } from '../../lib/is-record.ts';
import { parseMasterOrigin, parseMasterOrigins } from './master-address.ts';
import { readJsonBody, textMember } from './read-response.ts';

/** Stands for a token that the shell got; pages never see the token itself. */
const TICKET = 'ticket:';
const MOST_SECONDS = 900;
const ASK_MS = 10_000;

export interface BrowserSignIn {
  /** Asks the master for a code and opens its page in the browser of the system. */
  begin(url: string, send: Send): Promise<{ ticket: string; userCode: string }>;
  /** Resolves once it was approved. */
  done(ticket: string): Promise<void>;
  /** The token behind a ticket, where it is for one of these addresses; any other text as it is. */
  tokenOf(token: string, urls: string): string;
}
type Send = (url: string, init?: RequestInit) => Promise<Response>;

/** Signs this app in at a master by the device flow: the person approves a code in their browser. */
export function createBrowserSignIn({ open }: { open(url: string): void }): BrowserSignIn {
  const begun = new Map<string, { origin: string; token: Promise<string>; got: string | null }>();

  return {
    async begin(url, send) {
      const origin = parseMasterOrigin(url.split(',')[0] ?? '');
      const post = async (path: string, body: object) => {
        const answer = await send(origin + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(ASK_MS),
        });
        return { ok: answer.ok, json: await readJsonBody(answer) };
      };
      const client = `Yardmaster app on ${hostname()}`.slice(0, 100);
      const { ok, json } = await post(pathTo('device.begin'), { client }).catch((error: unknown) => {
        throw new Fault('MASTER_UNREACHABLE', `${origin} does not respond: check the URL, and test the connection`, {
          cause: error,
        });
      });
      const deviceCode = textMember(json, 'deviceCode', 200);
      const userCode = textMember(json, 'userCode', 20);
      if (!ok || deviceCode === null || userCode === null || !/^[A-Z]{4}-[A-Z]{4}$/.test(userCode))
        throw new Fault(
          'TOKEN_NEEDED',
          textMember(json, 'detail', 500) ?? `${origin} offers no sign-in with the browser: enter a token`,
        );
      const seconds = numberOf(json, 'expiresIn', MOST_SECONDS);
      const ticket = TICKET + randomBytes(16).toString('hex');
      const one = { origin, token: poll(), got: null as string | null };
      // Whoever waits hears of it; nobody may.
      one.token.then(
        (token) => (one.got = token),
        () => begun.delete(ticket),
      );
      begun.set(ticket, one);
      setTimeout(() => begun.delete(ticket), MOST_SECONDS * 1000).unref();
      // The page of that very master, whatever its answer says.
      open(`${origin}/device?code=${userCode}`);
      return { ticket, userCode };

      async function poll(): Promise<string> {
        let interval = numberOf(json, 'interval', 60);
        const until = performance.now() + seconds * 1000;
        while (performance.now() < until) {
          await wait(interval * 1000, undefined, { ref: false });
          // A network that fails for a moment ends nothing.
          const asked = await post(pathTo('device.token'), { deviceCode }).catch(() => null);
          const token = asked?.ok === true ? textMember(asked.json, 'token', 512) : null;
          if (token !== null) return token;
          const code = textMember(asked?.json, 'code');
          if (code === 'SLOW_DOWN') interval += 5;
          else if (asked !== null && code !== 'AUTHORIZATION_PENDING')
            throw new Fault('TOKEN_NEEDED', textMember(asked.json, 'detail', 500) ?? 'the sign-in was not approved');
        }
        throw new Fault('TOKEN_NEEDED', 'nobody approved the code in time: begin again');
      }
    },

    async done(ticket) {
      const one = begun.get(ticket);
      if (!one) throw new Fault('TOKEN_NEEDED', 'this sign-in is over: begin again');
      await one.token;
    },

    tokenOf(token, urls) {
      if (!token.startsWith(TICKET)) return token;
      const one = begun.get(token);
      // A page that was taken over must not send it elsewhere.
      if (!one || one.got === null || parseMasterOrigins(urls)[0] !== one.origin)
        throw new Fault('TOKEN_NEEDED', 'sign in with the browser again: that sign-in was for another URL, or is over');
      return one.got;
    },
  };
}

const numberOf = (value: unknown, member: string, most: number): number => {
  const number = isRecord(value) ? Number(value[member]) : Number.NaN;
  return Number.isFinite(number) && number >= 0 ? Math.min(number, most) : most;
};
