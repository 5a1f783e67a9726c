import { expect, it } from 'vitest';
import { takeSignInFailure } from './sign-in-failures.ts';

const at = (hash: string) => {
  const replaced: string[] = [];
  const history = {
    state: null,
    replaceState: (_state: unknown, _title: string, url: string) => void replaced.push(url),
  } as unknown as History;
  return { text: takeSignInFailure({ hash, pathname: '/', search: '' } as Location, history), replaced };
};

it('says why a sign-in at the provider failed, by a code alone, and cleans the address', () => {
  expect(at('#sign-in-failed=IDENTITY_REFUSED')).toEqual({
    text: expect.stringContaining('may not sign in'),
    replaced: ['/'],
  });
});

it.each(['#sign-in-failed=Your+password+has+leaked', '#sign-in-failed=NOTHING', '#sign-in=abc', ''])(
  'shows nothing that a link makes up: %s',
  (hash) => {
    expect(at(hash)).toEqual({ text: null, replaced: [] });
  },
);
