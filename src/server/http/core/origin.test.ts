import { expect, it } from 'vitest';
import { foreignOrigin, refuseHost, sameOrigin } from './origin.ts';
import { parsePrefer } from '../events/prefer-header.ts';

const local = { allowedHosts: ['yard.example', '*.yards.example'], behindProxy: false };

it.each([
  ['localhost', true],
  ['LOCALHOST:1', true],
  ['127.0.0.1:8700', true],
  ['[::1]', true],
  ['192.168.1.4:80', true],
  ['yard.example', true],
  ['Yard.Example:443', true],
  ['a.yards.example', true],
  ['a.b.yards.example', false],
  ['yards.example', false],
  ['evil.example', false],
  ['127.0.0.1.evil.example', false],
  ['localhost.evil.example', false],
  ['', false],
  ['a b', false],
  ['x:99999999', false],
])('host %s is answered: %s', (host, answered) => {
  expect(refuseHost({ host }, local) === null).toBe(answered);
});

it('behind a proxy any name is answered unless some are named', () => {
  expect(
    refuseHost({ host: 'inner', 'x-forwarded-host': 'any.example' }, { allowedHosts: [], behindProxy: true }),
  ).toBeNull();
  expect(
    refuseHost(
      { host: 'inner', 'x-forwarded-host': 'any.example' },
      { allowedHosts: ['yard.example'], behindProxy: true },
    )?.code,
  ).toBe('HOST_REFUSED');
});

it('a host may be missing in HTTP/1.0 alone, and is judged there all the same', () => {
  expect(refuseHost({}, local, [], '1.1')?.code).toBe('BAD_REQUEST');
  expect(refuseHost({}, local, [], '1.0')).toBeNull();
  expect(refuseHost({ host: 'evil.example' }, local, [], '1.0')?.code).toBe('HOST_REFUSED');
});

it('a page is of this host or it is foreign', () => {
  const host = '127.0.0.1:8700';
  expect(sameOrigin({ host, origin: 'http://127.0.0.1:8700' }, false)).toBe(true);
  expect(sameOrigin({ host }, false)).toBe(false);
  expect(sameOrigin({ host, 'sec-fetch-site': 'same-origin' }, false)).toBe(true);
  for (const site of ['none', 'same-site', 'cross-site'])
    expect(sameOrigin({ host, 'sec-fetch-site': site }, false)).toBe(false);
  expect(foreignOrigin({ host }, false)).toBe(false);
  for (const origin of ['null', 'http://127.0.0.1:8701', 'https://evil.example', 'file://', ''])
    expect(foreignOrigin({ host, origin }, false)).toBe(true);
});

it.each([
  [undefined, false, null, null],
  ['respond-async', true, null, 'respond-async'],
  ['Respond-Async, wait=10', true, 10, 'respond-async, wait=10'],
  ['wait="5"', false, 5, 'wait=5'],
  ['wait=1, wait=9', false, 1, 'wait=1'],
  ['wait=soon, respond-async', true, null, 'respond-async'],
  ['wait=-1', false, null, null],
  ['wait=99999', false, 3600, 'wait=3600'],
  ['foo; bar="a,b;c", respond-async;x=1, baz="wait=3"', true, null, 'respond-async'],
  [',,=,"', false, null, null],
])('Prefer: %s', (header, respondAsync, wait, applied) => {
  expect(parsePrefer(header, 3600)).toEqual({ respondAsync, wait, applied });
});
