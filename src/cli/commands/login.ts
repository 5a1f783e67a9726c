import { hostname, userInfo } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import { ApiError } from '../../lib/api-error.ts';
import { Fault } from '../../lib/fault.ts';
import { type ConnectionFlags, connectToMaster, type MasterApi } from '../api-client.ts';
import { apiCommand } from '../api-command.ts';
import { findLogin, forgetLogin, saveLogin } from '../logins.ts';
import { openBrowser } from '../open-browser.ts';
import { list, option } from '../options.ts';
import { refusePlain } from '../refuse-plain.ts';
import type { ProcessIo } from '../process-io.ts';

interface LoginFlags {
  printOnly?: boolean;
  name?: string;
}

/** `yardmaster login`, `logout`, `whoami`: this command line as a person. */
export function loginCommands(root: Command, io: ProcessIo): void {
  const login = apiCommand(
    root,
    io,
    'login',
    'sign in with the browser; the token is kept for this URL',
    async (session, { printOnly, name, ...flags }: LoginFlags & ConnectionFlags) => {
      const { api } = withoutToken(flags, io);
      const code = await api.call('device.begin', { body: { client: name ?? `yardmaster of ${whose()}` } });
      const say = (line: string) => (session.json ? io.err(line) : io.out(line));
      say(`Open ${code.verificationUrlComplete}`);
      say(`and approve the code ${code.userCode} if it is the one shown there.`);
      if (printOnly !== true && io.interactive) openBrowser(ownPage(code.verificationUrlComplete, api.url));
      const token = await poll(api, code, io.stopped);
      const bearer = connectToMaster({ ...flags, url: api.url, token: token.token }, io);
      const { actor, role } = await bearer.call('session.get');
      saveLogin(api.url, { tokenId: token.id, token: token.token, actor, expiresAt: token.expiresAt }, io);
      session.show({ url: api.url, actor, role, expiresAt: token.expiresAt }, () => [
        `Signed in at ${api.url} as ${actor} until ${token.expiresAt ?? 'signed out'}.`,
      ]);
    },
  );
  option(login, io, '--print-only', 'print the address instead of opening the browser');
  option(login, io, '--name <text>', 'what the approval page calls this program');

  apiCommand(root, io, 'logout', 'revoke and forget the token that login got', async (session) => {
    const { url } = session.api;
    const kept = findLogin(url, io);
    if (!kept) throw new Fault('USAGE', `nobody is signed in at ${url} with \`yardmaster login\``);
    const api = connectToMaster({ url, token: kept.token, allowPlain: true }, io);
    let isRevoked = true;
    try {
      await api.call('me.revokeToken', { params: { id: kept.tokenId } });
    } catch (error) {
      // One that no longer holds is as good as revoked.
      if (!(error instanceof ApiError) || error.status !== 401) isRevoked = false;
    }
    forgetLogin(url, io);
    session.show({ url, signedOut: true, revoked: isRevoked }, () => [
      isRevoked
        ? `Signed out at ${url}.`
        : `Forgot the token of ${url}, but the master could not revoke it: revoke it in the console, Settings, Tokens.`,
    ]);
  });

  apiCommand(root, io, 'whoami', 'show who this command line is to the master', async (session) => {
    const who = await session.api.call('session.get');
    session.show({ url: session.api.url, ...who }, () => [
      `${who.actor}${who.user ? ` (${who.user.name})` : ''}, role ${who.role}, at ${session.api.url}`,
      who.expiresAt === null ? 'no expiry' : `until ${who.expiresAt}`,
    ]);
  });
}

/** The code is asked for without a token: an old one must not be in the way. */
function withoutToken(flags: ConnectionFlags, io: ProcessIo): { api: MasterApi } {
  const { token: _token, ...rest } = flags;
  // What comes of it is a token, too.
  if (rest.url !== undefined && rest.allowPlain !== true) for (const one of list(rest.url, [])) refusePlain(one);
  return { api: connectToMaster({ ...rest, token: '' }, io) };
}

/** What a master answers may be anything: the browser is sent to that very master alone. */
function ownPage(page: string, master: string): string {
  const there = URL.parse(page);
  return there && /^https?:$/.test(there.protocol) && there.origin === new URL(master).origin ? there.href : master;
}

async function poll(
  api: MasterApi,
  code: { deviceCode: string; interval: number; expiresIn: number },
  stopped: AbortSignal,
): Promise<{ id: string; token: string; expiresAt: string | null }> {
  let { interval } = code;
  const until = performance.now() + code.expiresIn * 1000;
  while (performance.now() < until) {
    await wait(interval * 1000, undefined, { signal: stopped });
    try {
      return await api.call('device.token', { body: { deviceCode: code.deviceCode } });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'SLOW_DOWN') interval += code.interval;
      else if (error.code !== 'AUTHORIZATION_PENDING') throw error;
    }
  }
  throw new Fault('USAGE', 'nobody approved the code in time: begin again with `yardmaster login`');
}

function whose(): string {
  try {
    return `${userInfo().username} on ${hostname()}`.slice(0, 80);
  } catch {
    return hostname().slice(0, 80);
  }
}
