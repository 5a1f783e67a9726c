import type { Limits } from '../../../contract/limits.ts';
import type { UserKind } from '../../../contract/users.ts';
import type { Clock } from '../../../lib/clock.ts';
import { Fault } from '../../../lib/fault.ts';
import type { Actor } from '../../workflows/port.ts';
import type { UserRow } from './users.ts';

/** People who sign in at a provider: who they are there, and until when it has confirmed them. */
export function createProviderPeople(
  {
    clock,
    limits,
    people,
    find,
    change,
    onLapsed,
  }: {
    clock: Clock;
    limits: Readonly<Pick<Limits, 'oidcTokenHours'>>;
    people(): Iterable<UserRow>;
    find(id: string): UserRow | undefined;
    change(id: string, values: Partial<UserRow>, note: { action: string; actor: Actor }): Promise<UserRow>;
    /** Their tokens rest. */
    onLapsed(): void;
  },
  set: (id: string, values: Partial<UserRow>) => Promise<void>,
) {
  const confirmedUntil = (row: UserRow): number =>
    row.source === 'local' ? Number.POSITIVE_INFINITY : (row.confirmed_at ?? 0) + limits.oidcTokenHours * 3_600_000;

  return {
    /** Whoever a provider means; else one that an administrator made for that address, and who was not here yet. */
    ofProvider(issuer: string, subject: string, email: string | null): UserRow | undefined {
      const all = [...people()].filter(({ source }) => source === 'oidc');
      return (
        all.find((row) => row.issuer === issuer && row.subject === subject) ??
        (email === null
          ? undefined
          : all.find((row) => row.subject === null && row.email?.toLowerCase() === email.toLowerCase()))
      );
    },
    /** False where the provider has not confirmed somebody for so long that their tokens rest. */
    isConfirmed: (userId: string): boolean => {
      const row = find(userId);
      return row !== undefined && clock.now() < confirmedUntil(row);
    },
    hasLapsed: (from: number, to: number): boolean =>
      [...people()].some((row) => confirmedUntil(row) > from && confirmedUntil(row) <= to),
    /** Their provider says that they are who they were. */
    confirmed: (id: string, at: number): Promise<void> => set(id, { confirmed_at: at }),
    /** Their provider does not know them any longer: their tokens rest until they sign in again. */
    async unconfirm(id: string): Promise<void> {
      if (find(id)?.confirmed_at === null) return;
      await change(
        id,
        { confirmed_at: null },
        {
          action: 'user.unconfirmed',
          actor: { name: 'provider', role: null, address: null },
        },
      );
      onLapsed();
    },
  };
}

export function refuseNotOfProvider({
  kind,
  email,
  password,
}: {
  kind: UserKind;
  email: string | null | undefined;
  password: string | undefined;
}): void {
  const errors = [
    ...(kind === 'service' ? [{ pointer: '/kind', message: 'a service account is of this master' }] : []),
    ...(email ? [] : [{ pointer: '/email', message: 'needed to know them at their first sign-in' }]),
    ...(password === undefined ? [] : [{ pointer: '/password', message: 'the provider has it' }]),
  ];
  if (errors.length > 0)
    throw new Fault(
      'VALIDATION_FAILED',
      'somebody of the provider is a person with an e-mail address and no password',
      {
        errors,
      },
    );
}
