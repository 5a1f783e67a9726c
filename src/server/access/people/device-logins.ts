import { randomInt } from 'node:crypto';
import type { Limits } from '../../../contract/limits.ts';
import { iso, type Clock } from '../../../lib/clock.ts';
import { Fault } from '../../../lib/fault.ts';
import { groupOf } from '../../../lib/address-group.ts';
import { oldestOfMost } from '../../../lib/oldest-of-most.ts';
import type { Access, PersonIdentity } from '../port.ts';
import { findBySecret, makeSecret, secretDigest } from '../secrets.ts';
import type { DeviceLogins } from './port.ts';

interface Waiting {
  readonly digest: string;
  readonly userCode: string;
  readonly client: string;
  readonly address: string | null;
  readonly createdAt: number;
  readonly until: number;
  interval: number;
  askedAt: number;
  /** Null: nobody has decided. */
  decision: { isApproved: boolean; userId: string } | null;
}

/** No vowels, so that no words come of it, and nothing that is taken for something else (RFC 8628 §6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const CODE_LETTERS = 8;

export function createDeviceLogins({
  clock,
  limits,
  tokens,
  personOf,
  note,
}: {
  clock: Clock;
  limits: Readonly<
    Pick<
      Limits,
      'deviceCodeMinutes' | 'deviceCodes' | 'deviceCodesPerAddress' | 'devicePollSeconds' | 'deviceTokenDays'
    >
  >;
  tokens: Pick<Access['tokens'], 'create'>;
  personOf(userId: string): PersonIdentity | null;
  note: Access['audit']['note'];
}): DeviceLogins {
  const byDevice = new Map<string, Waiting>();

  function alive(): Waiting[] {
    const now = clock.now();
    for (const [digest, { until }] of byDevice) if (now >= until) byDevice.delete(digest);
    return [...byDevice.values()];
  }
  const byUser = (userCode: string): Waiting | undefined => {
    const wanted = userCode.toUpperCase().replace(/[^A-Z]/g, '');
    return alive().find((one) => one.userCode.replace('-', '') === wanted && one.decision === null);
  };
  function freeCode(taken: readonly Waiting[]): string {
    for (;;) {
      const letters = Array.from({ length: CODE_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]).join('');
      const code = `${letters.slice(0, 4)}-${letters.slice(4)}`;
      if (!taken.some(({ userCode }) => userCode === code)) return code;
    }
  }

  /**
   * The oldest code of the same address gives way, and where all places are taken, the oldest of the address that has the
   * most: whoever begins many shuts nobody else out. One that a person has decided on stays until it is fetched.
   */
  function makeRoom(waiting: readonly Waiting[], address: string | null): void {
    const undecided = waiting.filter((one) => one.decision === null);
    const ofAddress = waiting.filter((one) => groupOf(one.address) === groupOf(address));
    if (ofAddress.length >= limits.deviceCodesPerAddress) {
      const oldest = undecided.find((one) => groupOf(one.address) === groupOf(address));
      if (!oldest)
        throw new Fault(
          'RATE_LIMITED',
          `${ofAddress.length} codes for ${address} were decided on and not fetched yet: try again in some minutes`,
        );
      byDevice.delete(oldest.digest);
    } else if (waiting.length >= limits.deviceCodes) {
      const gone = oldestOfMost(new Map(undecided.map((one) => [one.digest, one])), (one) => groupOf(one.address));
      if (gone === undefined)
        throw new Fault(
          'OVERLOADED',
          `${waiting.length} codes were decided on and not fetched yet: try again in some minutes`,
        );
      byDevice.delete(gone);
    }
  }

  return {
    begin(client, address) {
      const waiting = alive();
      makeRoom(waiting, address);
      const deviceCode = makeSecret('yd_');
      const now = clock.now();
      const seconds = limits.deviceCodeMinutes * 60;
      const one: Waiting = {
        ...{ digest: secretDigest(deviceCode), userCode: freeCode(waiting) },
        // It is shown to a person: nothing that moves the text around it.
        client: client.replace(/[\p{C}\p{Z}]+/gu, ' ').trim() || 'unnamed',
        ...{ address, createdAt: now, until: now + seconds * 1000 },
        ...{ interval: limits.devicePollSeconds, askedAt: Number.NEGATIVE_INFINITY, decision: null },
      };
      byDevice.set(one.digest, one);
      return { deviceCode, userCode: one.userCode, expiresIn: seconds, interval: one.interval };
    },

    async take(deviceCode) {
      alive();
      const one = findBySecret(byDevice, deviceCode);
      if (!one) return null;
      const now = clock.now();
      // A second of grace: networks are not even.
      const isEarly = now - one.askedAt < (one.interval - 1) * 1000;
      one.askedAt = now;
      if (isEarly) {
        one.interval += limits.devicePollSeconds;
        throw new Fault('SLOW_DOWN', `ask at most every ${one.interval} s`, { extra: { interval: one.interval } });
      }
      const { decision } = one;
      if (decision === null)
        throw new Fault('AUTHORIZATION_PENDING', `nobody has approved the code ${one.userCode} yet: ask again`);
      byDevice.delete(one.digest);
      const person = decision.isApproved ? personOf(decision.userId) : null;
      if (!person) throw new Fault('DEVICE_DENIED', 'the sign-in was denied in the browser');
      return tokens.create(
        {
          name: one.client,
          // All that the person may.
          role: 'admin',
          expiresAt: iso(now + limits.deviceTokenDays * 86_400_000),
          userId: person.userId,
        },
        { name: person.actor, role: person.role, address: one.address },
      );
    },

    find(userCode) {
      const one = byUser(userCode);
      return one
        ? {
            ...{ userCode: one.userCode, client: one.client, address: one.address },
            ...{ createdAt: iso(one.createdAt), expiresAt: iso(one.until) },
          }
        : null;
    },

    endAllOfUser(userId) {
      for (const one of byDevice.values())
        if (one.decision?.userId === userId) one.decision = { isApproved: false, userId };
    },

    async decide(userCode, isApproved, userId, actor) {
      const one = byUser(userCode);
      if (!one) return false;
      one.decision = { isApproved, userId };
      await note(actor, {
        action: isApproved ? 'device.approve' : 'device.deny',
        target: `user:${userId}`,
        before: null,
        after: { client: one.client, address: one.address },
      });
      return true;
    },
  };
}
