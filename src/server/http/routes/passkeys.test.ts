import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProxies } from '../../../lib/proxies.ts';
import { Authenticator } from '../../testing/authenticator.fixture.ts';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';

let h: Harness;
let ahead = 0;
const start = async (limits: object = {}) => {
  h = await startHarness({
    limits: { passwordCost: 4, passwordPasses: 1, wrongTokens: 1000, ...limits },
    clock: { now: () => Date.now() + ahead },
  });
};
beforeEach(() => {
  ahead = 0;
  return start();
});
afterEach(() => h.close());
async function restartWith(limits: object) {
  await h.close();
  await start(limits);
}

const ORIGIN = 'http://localhost:8700';
const GOOD = 'correct horse battery';
type Body = Record<string, unknown> & { code?: string; options?: unknown; id?: string; items?: { id: string }[] };

/** A browser: it keeps its cookies. */
class Browser {
  readonly #cookies = new Map<string, string>();
  readonly #from: string;
  constructor(from = '127.0.0.1') {
    this.#from = from;
  }
  get cookies(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }
  async call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload: object | null = null) {
    const answer = await h.app.inject({
      ...{ method, url: `/api/v1${url}`, remoteAddress: this.#from },
      headers: { host: 'localhost:8700', origin: ORIGIN, cookie: this.cookies },
      ...(payload ? { payload } : {}),
    });
    for (const cookie of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.#cookies.set(name, value);
    }
    return { status: answer.statusCode, body: answer.body === '' ? ({} as Body) : (answer.json() as Body) };
  }
  signIn = (login: string, password: string) => this.call('POST', '/session/password', { login, password });
  who = async () => (await this.call('GET', '/session')).body['actor'];
  /** A new passkey, confirmed by the password. */
  async add(key: Authenticator, name = 'laptop', twist: Parameters<Authenticator['create']>[1] = {}) {
    const { body } = await this.call('POST', '/me/passkey-registration', { password: GOOD });
    return this.call('POST', '/me/passkeys', { name, response: key.create(body.options, twist) });
  }
  async signInWith(key: Authenticator, twist: Parameters<Authenticator['get']>[1] = {}) {
    const { body } = await this.call('POST', '/session/passkey/begin');
    return this.call('POST', '/session/passkey', { response: key.get(body.options, twist) });
  }
}

async function asAdmin(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload: object | null = null) {
  const answer = await h.app.inject({
    ...{ method, url: `/api/v1${url}` },
    headers: { host: '127.0.0.1:8700', authorization: `Bearer ${h.tokens.admin}` },
    ...(payload ? { payload } : {}),
  });
  return { status: answer.statusCode, body: answer.body === '' ? ({} as Body) : (answer.json() as Body) };
}
/** Somebody who is signed in with their password. */
async function person(login: string): Promise<{ id: string; browser: Browser }> {
  const { body } = await asAdmin('POST', '/users', { login, password: GOOD, role: 'operator' });
  const browser = new Browser();
  expect(await browser.signIn(login, GOOD)).toMatchObject({ status: 204 });
  return { id: String(body.id), browser };
}
const audited = async (action: string) => (await h.services.access.audit.list({ page: 0, size: 20, action })).items;
const ways = async () => (await new Browser().call('GET', '/session/ways')).body['passkey'];

describe('a passkey', () => {
  it('is added after the password was given again, and signs in without a name', async () => {
    const { id, browser } = await person('ann');
    expect(await ways()).toBe(undefined);
    const refused = await browser.call('POST', '/me/passkey-registration', { password: 'wrong' });
    expect(refused).toMatchObject({ status: 401, body: { code: 'PASSWORD_INVALID' } });
    expect(await browser.call('POST', '/me/passkey-registration', {})).toMatchObject({
      body: { code: 'VALIDATION_FAILED' },
    });

    const begun = await browser.call('POST', '/me/passkey-registration', { password: GOOD });
    expect(begun.body.options).toMatchObject({
      rp: { id: 'localhost', name: 'Yardmaster' },
      user: { name: 'ann' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const key = new Authenticator(ORIGIN);
    const added = await browser.call('POST', '/me/passkeys', {
      name: 'laptop',
      response: key.create(begun.body.options),
    });
    expect(added).toMatchObject({ status: 201, body: { name: 'laptop', host: 'localhost', lastUsedAt: null } });
    expect((await audited('passkey.add'))[0]).toMatchObject({ actor: 'ann', target: `user:${id}` });
    expect(await ways()).toBe('here');

    const other = new Browser();
    const asked = await other.call('POST', '/session/passkey/begin');
    expect(asked.body.options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(asked.body.options).not.toHaveProperty('allowCredentials');
    const signedIn = await other.call('POST', '/session/passkey', { response: key.get(asked.body.options) });
    expect(signedIn).toMatchObject({ status: 204 });
    expect(await other.who()).toBe('ann');
    // Beside the answer.
    await expect
      .poll(async () => (await audited('session.sign-in'))[0])
      .toMatchObject({ actor: 'ann', after: { by: 'passkey' } });
    const { body } = await browser.call('GET', '/me/passkeys');
    expect(body).toMatchObject({
      ...{ host: 'localhost', obstacle: null, hasPassword: true, most: 20 },
      items: [{ name: 'laptop', lastUsedAt: expect.any(String), copiedAt: null, synced: false }],
    });
  });

  it('confirms the next one', async () => {
    const { browser } = await person('bob');
    const [first, second] = [new Authenticator(ORIGIN), new Authenticator(ORIGIN)];
    expect(await browser.call('POST', '/me/passkey-confirmation')).toMatchObject({
      body: { code: 'PASSKEY_NOT_FOUND' },
    });
    await browser.add(first);
    const asked = await browser.call('POST', '/me/passkey-confirmation');
    expect(asked.body.options).toMatchObject({ allowCredentials: [{ id: first.id.toString('base64url') }] });
    const begun = await browser.call('POST', '/me/passkey-registration', { passkey: first.get(asked.body.options) });
    expect(begun.body.options).toMatchObject({ excludeCredentials: [{ id: first.id.toString('base64url') }] });
    const answer = { name: 'key', response: second.create(begun.body.options) };
    expect(await browser.call('POST', '/me/passkeys', answer)).toMatchObject({ status: 201 });
    // What confirmed once does not confirm again.
    expect(await browser.call('POST', '/me/passkeys', answer)).toMatchObject({ body: { code: 'PASSKEY_EXPIRED' } });
    expect(await browser.add(second)).toMatchObject({ status: 409, body: { code: 'PASSKEY_EXISTS' } });
  });

  it('is renamed, and removed, which ends the other sessions', async () => {
    const { id, browser } = await person('cleo');
    const key = new Authenticator(ORIGIN);
    const { body } = await browser.add(key);
    const other = new Browser();
    await other.signInWith(key);
    expect(await browser.call('PATCH', `/me/passkeys/${body.id}`, { name: 'phone' })).toMatchObject({
      body: { name: 'phone' },
    });
    expect(await browser.call('DELETE', '/me/passkeys/nothing')).toMatchObject({ body: { code: 'PASSKEY_NOT_FOUND' } });
    const stranger = await person('dora');
    for (const method of ['PATCH', 'DELETE'] as const)
      expect(await stranger.browser.call(method, `/me/passkeys/${body.id}`, { name: 'mine' })).toMatchObject({
        body: { code: 'PASSKEY_NOT_FOUND' },
      });
    expect(await browser.call('DELETE', `/me/passkeys/${body.id}`)).toMatchObject({ status: 204 });
    expect([await browser.who(), await other.who()]).toEqual(['cleo', undefined]);
    expect(await new Browser().signInWith(key)).toMatchObject({ status: 401, body: { code: 'PASSKEY_INVALID' } });
    for (const action of ['passkey.rename', 'passkey.remove'])
      expect((await audited(action))[0]).toMatchObject({ actor: 'cleo', target: `user:${id}` });
  });

  it('is seen and removed by an administrator, which ends the sessions', async () => {
    const { id, browser } = await person('emil');
    const key = new Authenticator(ORIGIN);
    const { body } = await browser.add(key);
    expect((await asAdmin('GET', `/users/${id}/passkeys`)).body.items).toMatchObject([{ id: body.id, name: 'laptop' }]);
    expect(await browser.call('GET', `/users/${id}/passkeys`)).toMatchObject({ status: 403 });
    expect(await asAdmin('DELETE', `/users/${id}/passkeys/${body.id}`)).toMatchObject({ status: 204 });
    expect(await browser.who()).toBe(undefined);
    expect(await new Browser().signInWith(key)).toMatchObject({ status: 401 });
  });

  it('goes with a password that an administrator resets, unless they are kept', async () => {
    const { id, browser } = await person('fay');
    const key = new Authenticator(ORIGIN);
    await browser.add(key);
    await asAdmin('POST', `/users/${id}/password-reset`, { keepPasskeys: true });
    expect(await new Browser().signInWith(key)).toMatchObject({ status: 204 });
    await asAdmin('POST', `/users/${id}/password-reset`);
    expect(await new Browser().signInWith(key)).toMatchObject({ status: 401 });
  });

  it('is not added beside such a reset either', async () => {
    const { id, browser } = await person('noa');
    for (let i = 0; i < 5; i++) {
      const begun = await browser.call('POST', '/me/passkey-registration', { password: GOOD });
      const made = { name: 'laptop', response: new Authenticator(ORIGIN).create(begun.body.options) };
      const [, reset] = await Promise.all([
        browser.call('POST', '/me/passkeys', made),
        asAdmin('POST', `/users/${id}/password-reset`),
      ]);
      expect((await asAdmin('GET', `/users/${id}/passkeys`)).body.items).toEqual([]);
      const own = { login: 'noa', password: reset.body['password'], newPassword: GOOD };
      expect(await browser.call('POST', '/session/password', own)).toMatchObject({ status: 204 });
    }
  });

  it('lets nobody in who is disabled or deleted', async () => {
    const { id, browser } = await person('gus');
    const key = new Authenticator(ORIGIN);
    await browser.add(key);
    await asAdmin('PATCH', `/users/${id}`, { disabled: true });
    expect(await new Browser().signInWith(key)).toMatchObject({ status: 401, body: { code: 'PASSKEY_INVALID' } });
    await asAdmin('PATCH', `/users/${id}`, { disabled: false });
    expect(await new Browser().signInWith(key)).toMatchObject({ status: 204 });
    expect(await asAdmin('DELETE', `/users/${id}`)).toMatchObject({ status: 204 });
    expect(await new Browser().signInWith(key)).toMatchObject({ status: 401, body: { code: 'PASSKEY_INVALID' } });
    expect(await ways()).toBe(undefined);
  });

  it('is for people of this master who are at their browser', async () => {
    const { browser } = await person('hal');
    const token = await browser.call('POST', '/me/tokens', { name: 'script' });
    const byToken = new Browser();
    expect(await byToken.call('POST', '/session', { token: token.body['token'] })).toMatchObject({ status: 204 });
    expect(await byToken.call('POST', '/me/passkey-registration', { password: GOOD })).toMatchObject({
      body: { code: 'PERSON_NEEDED' },
    });
    expect((await byToken.call('GET', '/me/passkeys')).body).toMatchObject({ obstacle: 'TOKEN' });
    expect(await asAdmin('GET', '/me/passkeys')).toMatchObject({ body: { code: 'USER_NOT_FOUND' } });
    const place = { host: 'localhost', origin: ORIGIN };
    for (const over of [{ source: 'oidc', email: 'i@example.org' }, { kind: 'service' }]) {
      const made = await asAdmin('POST', '/users', { login: `not-${Object.values(over)[0]}`, ...over });
      const own = { userId: String(made.body.id), sessionId: 's' };
      await expect(
        h.services.access.passkeys.beginAdd(own, { password: GOOD }, place, { address: null, isLocal: true }),
      ).rejects.toMatchObject({ code: 'PASSKEY_REFUSED' });
    }
  });

  it('has others beside it, up to the limit', async () => {
    await restartWith({ passkeysPerPerson: 2 });
    const { browser } = await person('ida');
    for (const name of ['one', 'two'])
      expect(await browser.add(new Authenticator(ORIGIN), name)).toMatchObject({ status: 201 });
    expect(await browser.call('POST', '/me/passkey-registration', { password: GOOD })).toMatchObject({
      body: { status: 409, code: 'TOO_MANY_PASSKEYS' },
    });
  });
});

describe('an answer', () => {
  it('is taken once, in time, from the browser that was asked', async () => {
    const { browser } = await person('jan');
    const key = new Authenticator(ORIGIN);
    await browser.add(key);
    const expired = { status: 400, body: { code: 'PASSKEY_EXPIRED' } };
    const here = new Browser();
    const { options } = (await here.call('POST', '/session/passkey/begin')).body;
    const response = key.get(options);
    expect(await new Browser().call('POST', '/session/passkey', { response })).toMatchObject(expired);
    const twice = await Promise.all([1, 2].map(() => here.call('POST', '/session/passkey', { response })));
    expect(twice.map(({ status }) => status).sort()).toEqual([204, 400]);

    const late = new Browser();
    const asked = await late.call('POST', '/session/passkey/begin');
    ahead = 5 * 60_000;
    expect(await late.call('POST', '/session/passkey', { response: key.get(asked.body.options) })).toMatchObject(
      expired,
    );
  });

  it('to one question is none to another, nor of another session', async () => {
    const { browser } = await person('kim');
    const key = new Authenticator(ORIGIN);
    await browser.add(key);
    const confirm = await browser.call('POST', '/me/passkey-confirmation');
    const response = key.get(confirm.body.options);
    expect(await browser.call('POST', '/session/passkey', { response })).toMatchObject({
      body: { code: 'PASSKEY_EXPIRED' },
    });
    const { options } = (await browser.call('POST', '/me/passkey-registration', { password: GOOD })).body;
    await browser.signIn('kim', GOOD);
    const made = { name: 'late', response: new Authenticator(ORIGIN).create(options) };
    expect(await browser.call('POST', '/me/passkeys', made)).toMatchObject({ body: { code: 'PASSKEY_EXPIRED' } });
  });

  it('of another page, another name, without the user, or of somebody else is refused', async () => {
    const { browser } = await person('lea');
    const { browser: other } = await person('max');
    const [key, foreign] = [new Authenticator(ORIGIN), new Authenticator(ORIGIN)];
    await browser.add(key);
    await other.add(foreign);
    const ofMax = foreign.get({ rpId: 'localhost', challenge: 'x' }).response.userHandle;
    const twists: NonNullable<Parameters<Authenticator['get']>[1]>[] = [
      { origin: 'http://localhost:8701' },
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { isVerified: false },
      { type: 'webauthn.create' },
      { userHandle: ofMax },
      { userHandle: undefined },
    ];
    for (const twist of twists)
      expect([twist, (await new Browser().signInWith(key, twist)).body.code]).toEqual([twist, 'PASSKEY_INVALID']);
    expect(await new Browser().signInWith(new Authenticator(ORIGIN))).toMatchObject({
      status: 401,
      body: { code: 'PASSKEY_INVALID' },
    });
    for (const twist of [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }, { isVerified: false }])
      expect((await browser.add(new Authenticator(ORIGIN), 'x', twist)).body.code).toBe('PASSKEY_INVALID');
    // Whoever has somebody's session does not confirm with a passkey of their own.
    const asked = await browser.call('POST', '/me/passkey-confirmation');
    const passkey = foreign.get(asked.body.options);
    expect((await browser.call('POST', '/me/passkey-registration', { passkey })).body.code).toBe('PASSKEY_INVALID');
  });

  it('with a counter that went back tells of a copy, which opens nothing from then on', async () => {
    const { id, browser } = await person('nia');
    const key = new Authenticator(ORIGIN, { counts: true });
    await browser.add(key);
    expect(await new Browser().signInWith(key)).toMatchObject({ status: 204 });
    const copied = { status: 403, body: { code: 'PASSKEY_COPIED' } };
    expect(await new Browser().signInWith(key, { counter: 1 })).toMatchObject(copied);
    expect(await browser.who()).toBe(undefined);
    expect(await audited('passkey.copied')).toMatchObject([{ target: `user:${id}`, after: { counter: 1 } }]);
    expect(await new Browser().signInWith(key, { counter: 99 })).toMatchObject(copied);
    await browser.signIn('nia', GOOD);
    expect((await browser.call('GET', '/me/passkeys')).body.items).toMatchObject([{ copiedAt: expect.any(String) }]);
    expect(await browser.call('POST', '/me/passkey-confirmation')).toMatchObject({
      body: { code: 'PASSKEY_NOT_FOUND' },
    });
  });

  it('that is wrong costs as a wrong password does', async () => {
    await restartWith({ wrongTokens: 3 });
    const { browser } = await person('ole');
    const key = new Authenticator(ORIGIN);
    await browser.add(key);
    const guess = () => new Browser('198.51.100.7').signInWith(new Authenticator(ORIGIN));
    for (let i = 0; i < 3; i++) expect(await guess()).toMatchObject({ status: 401 });
    expect(await guess()).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
    expect(await new Browser('198.51.100.7').signInWith(key)).toMatchObject({ status: 429 });
    expect(await new Browser('203.0.113.9').signInWith(key)).toMatchObject({ status: 204 });
    expect((await audited('session.refused')).length).toBeGreaterThan(0);
  });
});

describe('in place of a one-time password', () => {
  const newcomer = async (login: string) => (await asAdmin('POST', '/users', { login, role: 'viewer' })).body;

  it('a passkey is made, and is the only way in', async () => {
    const { id, password } = await newcomer('pia');
    const browser = new Browser();
    const begin = (given: unknown) =>
      browser.call('POST', '/session/passkey/first/begin', { login: 'pia', password: given });
    expect(await begin('wrong')).toMatchObject({ status: 401, body: { code: 'PASSWORD_INVALID' } });
    const key = new Authenticator(ORIGIN);
    const { options } = (await begin(password)).body;
    const made = { name: 'laptop', response: key.create(options) };
    expect(await browser.call('POST', '/session/passkey/first', made)).toMatchObject({ status: 204 });
    expect(await browser.who()).toBe('pia');
    expect(await new Browser().signIn('pia', String(password))).toMatchObject({ status: 401 });
    const { body } = await browser.call('GET', '/me/passkeys');
    expect(body).toMatchObject({ hasPassword: false });
    const only = body.items?.[0]?.id;
    expect(await browser.call('DELETE', `/me/passkeys/${only}`)).toMatchObject({ body: { code: 'LAST_WAY_IN' } });
    expect(await new Browser().signInWith(key)).toMatchObject({ status: 204 });
    expect((await audited('passkey.add'))[0]).toMatchObject({ actor: 'pia', after: { inPlaceOf: expect.any(String) } });
    // Who has no passkey left is helped by an administrator.
    await asAdmin('DELETE', `/users/${id}/passkeys/${only}`);
    const reset = await asAdmin('POST', `/users/${id}/password-reset`);
    expect(await new Browser().signIn('pia', String(reset.body['password']))).toMatchObject({
      body: { code: 'PASSWORD_CHANGE_NEEDED' },
    });
  });

  it('one is made, whoever else comes with it at the same time', async () => {
    const { id, password } = await newcomer('mia');
    const browsers = [new Browser(), new Browser(), new Browser()];
    const made = await Promise.all(
      browsers.map(async (browser) => {
        const own = { login: 'mia', password };
        const { options } = (await browser.call('POST', '/session/passkey/first/begin', own)).body;
        return { name: 'laptop', response: new Authenticator(ORIGIN).create(options) };
      }),
    );
    const answers = await Promise.all(
      browsers.map((browser, i) => browser.call('POST', '/session/passkey/first', made[i])),
    );
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect((await asAdmin('GET', `/users/${id}/passkeys`)).body.items).toHaveLength(1);
  });

  it('none is made once that was changed, has expired, or is none', async () => {
    const { id, password } = await newcomer('quin');
    const [early, late] = [new Browser(), new Browser()];
    const begin = async (browser: Browser, given: unknown) =>
      (await browser.call('POST', '/session/passkey/first/begin', { login: 'quin', password: given })).body;
    const { options } = await begin(early, password);
    const reset = await asAdmin('POST', `/users/${id}/password-reset`);
    const made = { name: 'x', response: new Authenticator(ORIGIN).create(options) };
    expect((await early.call('POST', '/session/passkey/first', made)).body.code).toBe('PASSKEY_EXPIRED');
    ahead = 73 * 3_600_000;
    expect((await begin(late, reset.body['password'])).code).toBe('PASSWORD_INVALID');
    await person('rob');
    const own = { login: 'rob', password: GOOD };
    expect((await late.call('POST', '/session/passkey/first/begin', own)).body.code).toBe('PASSKEY_REFUSED');
  });
});

describe('where the master is opened', () => {
  const obstacle = async (host: string, headers: object = {}) => {
    const answer = await h.app.inject({
      ...{ method: 'POST', url: '/api/v1/session/passkey/begin' },
      headers: { host, ...headers },
    });
    const { code, detail, options } = answer.json() as Body & { detail?: string; options?: { rpId: string } };
    return options?.rpId ?? `${code}: ${detail}`;
  };

  it('passkeys are for the name that was asked for, and not for addresses or plain http', async () => {
    await h.close();
    h = await startHarness({
      services: { allowedHosts: ['yard.example.com', '*.lab.example.com'], proxies: createProxies(['127.0.0.1']) },
    });
    const tls = { 'x-forwarded-proto': 'https' };
    expect(await obstacle('localhost:8700')).toBe('localhost');
    expect(await obstacle('yard.example.com', tls)).toBe('yard.example.com');
    expect(await obstacle('a.lab.example.com:8443', tls)).toBe('a.lab.example.com');
    expect(await obstacle('10.0.0.1', { ...tls, 'x-forwarded-host': 'yard.example.com' })).toBe('yard.example.com');
    expect(await obstacle('yard.example.com')).toMatch(/^PASSKEY_UNAVAILABLE: passkeys need https/);
    for (const address of ['127.0.0.1:8700', '10.0.0.1', '[::1]:8700'])
      expect(await obstacle(address, tls)).toMatch(/^PASSKEY_UNAVAILABLE: passkeys are for a name/);
    expect(await obstacle('evil.example', tls)).toMatch(/^HOST_REFUSED/);
    expect(await obstacle('yard.example.com', { ...tls, 'x-forwarded-host': 'evil.example' })).toMatch(/^HOST_REFUSED/);
  });

  it('a name that only `*` lets in is not known well enough', async () => {
    await h.close();
    h = await startHarness({ services: { allowedHosts: ['*'], proxies: createProxies(['127.0.0.1']) } });
    expect(await obstacle('evil.example', { 'x-forwarded-proto': 'https' })).toMatch(
      /^PASSKEY_UNAVAILABLE: .*--allowed-hosts/,
    );
  });

  it('a page of another one asks in vain', async () => {
    expect(await obstacle('localhost:8700', { origin: 'https://evil.example' })).toMatch(/^CSRF/);
  });
});
