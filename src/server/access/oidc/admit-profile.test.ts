import { expect, it } from 'vitest';
import { admitProfile } from './admit-profile.ts';

/** The name that somebody gets who comes for the first time. */
async function nameFor(login: string, taken: readonly string[]): Promise<string> {
  const profile = { issuer: 'i', subject: 's', login, name: login, email: null, isEmailVerified: false, groups: [] };
  const row = await admitProfile(profile, {
    options: { allowedDomains: [], createUsers: true } as never,
    people: {
      ofProvider: () => undefined,
      byLogin: (name: string) => (taken.includes(name) ? {} : undefined),
      insert: async () => {},
    } as never,
    clock: { now: () => 0 } as never,
    address: null,
  });
  return row.login;
}

it('gives whoever comes for the first time a name that nobody has, neither a person nor the master itself', async () => {
  expect(await nameFor('ada', [])).toBe('ada');
  expect(await nameFor('ada', ['ada', 'ada-2'])).toBe('ada-3');
  for (const own of ['admin', 'local', 'master', 'provider', 'yardmaster'])
    expect(await nameFor(own, [])).toBe(`${own}-2`);
});
