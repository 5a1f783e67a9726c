import { describe, expect, it } from 'vitest';
import { createSession, takeSignInCode } from './session.ts';

const at = (hash: string) => {
  const replaced: string[] = [];
  const history = {
    state: null,
    replaceState: (_state: unknown, _title: string, url: string) => void replaced.push(url),
  } as unknown as History;
  return { code: takeSignInCode({ hash, pathname: '/jobs', search: '?page=1' } as Location, history), replaced };
};

describe('a sign-in link', () => {
  it('gives its code and is cleaned from the address', () => {
    expect(at('#sign-in=abc%2F1')).toEqual({ code: 'abc/1', replaced: ['/jobs?page=1'] });
  });

  it('is not seen in other addresses, which stay', () => {
    expect(at('#main')).toEqual({ code: null, replaced: [] });
  });
});

describe('the session', () => {
  it('remembers why a link failed until someone signs in', () => {
    const session = createSession();
    session.getState().signedOut('used before');
    session.getState().signedOut();
    expect(session.getState()).toMatchObject({ standing: 'signed-out', failure: 'used before' });
    session.getState().signedIn();
    expect(session.getState()).toMatchObject({ standing: 'signed-in', failure: null });
  });
});
