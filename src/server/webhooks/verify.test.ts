import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HMAC_ALGORITHMS, HMAC_ENCODINGS, HMAC_SCHEMES, type HmacPreset } from '../../contract/webhook-presets.ts';
import type { HookRequest } from './request.ts';
import { verify, type Verification } from './verify.ts';

const NOW = Date.UTC(2026, 10, 27, 12);
const SECONDS = String(NOW / 1000);
const request = (headers: Record<string, string>, body = '{"a":1}'): HookRequest => ({
  method: 'POST',
  query: '',
  headers,
  body: Buffer.from(body),
  address: null,
});
const hmac = (preset: HmacPreset, ...secrets: string[]): Verification => ({
  type: 'hmac',
  preset,
  scheme: HMAC_SCHEMES[preset],
  secrets,
});
const hex = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');
const refusal = (how: Verification, headers: Record<string, string>, body?: string) =>
  verify(how, request(headers, body), NOW).refusal;

describe('deliveries are verified as their services sign them', () => {
  // The example of GitHub's documentation.
  it('GitHub', () => {
    const headers = {
      'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    };
    expect(refusal(hmac('github', "It's a Secret to Everybody"), headers, 'Hello, World!')).toBeNull();
    expect(refusal(hmac('github', 'another'), headers, 'Hello, World!')).toMatch(/not that of the body/);
  });

  // The example of Slack's documentation.
  it('Slack', () => {
    const body =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
    const how = hmac('slack', '8f742231b10e8888abcd99yyyzzz85a5');
    const signed = (seconds: number) => ({
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
      seconds,
    });
    const { seconds, ...headers } = signed(1531420618);
    expect(verify(how, request(headers, body), seconds * 1000).refusal).toBeNull();
    expect(verify(how, request(headers, body), (seconds + 301) * 1000).refusal).toMatch(
      /301 s ago; the tolerance is 300/,
    );
  });

  it('Stripe, with several signatures in one header while its secret is replaced', () => {
    const right = hex('whsec_x', `${SECONDS}.{"a":1}`);
    const how = hmac('stripe', 'whsec_x');
    expect(refusal(how, { 'stripe-signature': `t=${SECONDS},v1=${'0'.repeat(64)},v1=${right},v0=1` })).toBeNull();
    expect(refusal(how, { 'stripe-signature': `t=${Number(SECONDS) - 1},v1=${right}` })).toMatch(/not that/);
    expect(refusal(how, { 'stripe-signature': `v1=${right}` })).not.toBeNull();
  });

  // The example of the specification.
  it('Standard Webhooks', () => {
    const how = hmac('standard', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const ask = (id: string) =>
      verify(how, request({ ...headers, 'webhook-id': id }, '{"test": 2432232314}'), 1614265330_000).refusal;
    expect(ask('msg_p5jXN8AQM9LWM0D4loKWxJek')).toBeNull();
    expect(ask('msg_another')).not.toBeNull();
  });

  it('any algorithm and encoding, and either secret while one replaces the other', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...HMAC_ALGORITHMS),
        fc.constantFrom(...HMAC_ENCODINGS),
        fc.string({ minLength: 1 }),
        fc.string(),
        fc.boolean(),
        (algorithm, encoding, secret, body, isOld) => {
          const scheme = { ...HMAC_SCHEMES.generic, algorithm, encoding, prefix: 'sig:' };
          const secrets = isOld ? [`${secret}-new`, secret] : [secret];
          const how: Verification = { type: 'hmac', preset: 'generic', scheme, secrets };
          const signature = createHmac(algorithm, secret).update(Buffer.from(body)).digest(encoding);
          const signed = verify(how, request({ 'x-signature': `sig:${signature}` }, body), NOW);
          expect(signed.refusal).toBeNull();
          expect(signed.signature).toMatch(/^[0-9a-f]{64}$/);
          expect(refusal(how, { 'x-signature': `sig:${signature}` }, `${body}.`)).not.toBeNull();
        },
      ),
    );
  });

  it('a key in a header, and a name with a password', () => {
    const key: Verification = { type: 'key', header: 'x-api-key', secrets: ['right'] };
    expect(refusal(key, { 'x-api-key': 'right' })).toBeNull();
    expect(refusal(key, { 'x-api-key': 'wrong' })).toMatch(/is wrong/);
    expect(refusal(key, {})).toMatch(/is missing/);
    const basic: Verification = { type: 'basic', username: 'svc', secrets: ['pass:word'] };
    const as = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
    expect(refusal(basic, as('svc:pass:word'))).toBeNull();
    expect(refusal(basic, as('other:pass:word'))).toMatch(/is wrong/);
    expect(refusal(basic, { authorization: 'Basic ???' })).toMatch(/is missing/);
  });

  it('nothing that is sent throws', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...(Object.keys(HMAC_SCHEMES) as HmacPreset[])),
        fc.dictionary(
          fc.constantFrom(
            'stripe-signature',
            'x-signature',
            'webhook-id',
            'webhook-timestamp',
            'webhook-signature',
            'x-hub-signature-256',
          ),
          fc.string(),
        ),
        fc.string(),
        (preset, headers, body) => {
          expect(refusal(hmac(preset, 'secret'), headers, body)).not.toBeNull();
        },
      ),
    );
  });
});
