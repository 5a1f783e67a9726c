import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { DeviceCodeSchema } from '../../../contract/device.ts';
import { Fault } from '../../../lib/fault.ts';
import type { Identity, SessionIdentity } from '../../access/port.ts';
import { secretDigest } from '../../access/secrets.ts';
import { clientAddress, presenterOf } from '../core/forwarded.ts';
import { originOf } from '../core/origin.ts';
import { route, type App } from '../core/route.ts';

/** Programs that a person signs in with their browser. */
export function deviceRoutes(app: App): void {
  const { access, proxies } = app.services;
  const { deviceLogins } = access;

  route(app, 'device.begin', ({ body, request }): Static<typeof DeviceCodeSchema> => {
    if (!access.users.hasPasswords && !access.passkeys.any && access.oidc === null)
      throw new Fault(
        'SIGN_IN_UNAVAILABLE',
        'this master knows no people who could approve it: use a token (--token, YARDMASTER_TOKEN), or create people in Settings',
      );
    const made = deviceLogins.begin(body.client, clientAddress(request, proxies));
    const verificationUrl = `${originOf(request, proxies)}/device`;
    return { ...made, verificationUrl, verificationUrlComplete: `${verificationUrl}?code=${made.userCode}` };
  });

  route(app, 'device.token', async ({ body, request }) => {
    const token = await deviceLogins.take(body.deviceCode);
    if (token) return token;
    access.attempts.wrong(presenterOf(request, proxies), body.deviceCode, 'token.refused');
    throw unknown();
  });

  route(app, 'device.get', ({ params, identity, request }) =>
    guarded(identity, request, () => deviceLogins.find(params.code)),
  );

  route(app, 'device.decide', async ({ params, body, identity, actor, request }) => {
    const userId = personHere(identity);
    await guarded(identity, request, async () =>
      (await deviceLogins.decide(params.code, body.decision === 'approve', userId, actor)) ? true : null,
    );
  });

  /** Codes are short: nobody looks for those of others. */
  async function guarded<T>(identity: Identity, request: FastifyRequest, look: () => T | null | Promise<T | null>) {
    const whose = secretDigest(`device codes of ${personHere(identity)}`);
    const from = { ...presenterOf(request, proxies), isLocal: false };
    access.attempts.check(from, whose);
    const found = await look();
    if (found !== null) return found;
    access.attempts.wrong(from, whose, 'session.refused');
    throw unknown();
  }
}

const unknown = () =>
  new Fault(
    'DEVICE_CODE_UNKNOWN',
    'the code is unknown, was used or has expired: begin again in the program that showed it',
  );

/** A person at their browser: a token, which may do less than its person, must not make one that does all. */
function personHere(identity: Identity): string {
  const { sessionId, tokenId } = identity as Partial<SessionIdentity>;
  if (identity.userId === null || sessionId === undefined || tokenId !== null)
    throw new Fault(
      'PERSON_NEEDED',
      'only a person who signed in by name can approve a program: sign in with a password or at the provider',
    );
  return identity.userId;
}
