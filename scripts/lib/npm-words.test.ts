import { expect, test } from 'vitest';
import { wordsOfNpm } from './processes.mjs';

test('of what npm says, what a person can act on is told', () => {
  const output = `npm warn Unknown user config "nodedir".
npm error code ECONNREFUSED
npm error syscall connect
npm error errno ECONNREFUSED
npm error FetchError: request to http://127.0.0.1:9/zustand failed, reason: connect ECONNREFUSED 127.0.0.1:9
npm error     at ClientRequest.<anonymous> (/usr/lib/index.js:130:14) {
npm error   code: 'ECONNREFUSED',
npm error }
npm error
npm error If you are behind a proxy, please make sure that the 'proxy' config is set properly.
npm error A complete log of this run can be found in: /root/.npm/_logs/x.log
`;
  expect(wordsOfNpm(output)).toEqual(['FetchError: request to http://127.0.0.1:9/zustand failed, reason: connect ECONNREFUSED 127.0.0.1:9', "If you are behind a proxy, please make sure that the 'proxy' config is set properly."]);
  expect(wordsOfNpm('npm ERR! 404 Not Found - GET https://registry.example.com/x')).toEqual(['404 Not Found - GET https://registry.example.com/x']);
  expect(wordsOfNpm('')).toEqual([]);
});
