import { expect, test } from 'vitest';
import { faultOfInstall } from './install.mjs';
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
  expect(wordsOfNpm(output)).toEqual([
    'FetchError: request to http://127.0.0.1:9/zustand failed, reason: connect ECONNREFUSED 127.0.0.1:9',
    "If you are behind a proxy, please make sure that the 'proxy' config is set properly.",
  ]);
  expect(wordsOfNpm('npm ERR! 404 Not Found - GET https://registry.example.com/x')).toEqual([
    '404 Not Found - GET https://registry.example.com/x',
  ]);
  expect(wordsOfNpm('')).toEqual([]);
});

test('where the headers of Node do not come, that is said and not that the registry is silent', () => {
  const output = `npm error code 1
npm error path /home/ada/yardmaster/node_modules/better-sqlite3
npm error command failed
npm error command sh -c node-gyp rebuild
npm error gyp info it worked if it ends with ok
npm error gyp http GET https://nodejs.org/download/release/v22.14.0/node-v22.14.0-headers.tar.gz
npm error gyp WARN install got an error, rolling back install
npm error gyp ERR! configure error
npm error gyp ERR! stack FetchError: request to https://nodejs.org/download/release/v22.14.0/node-v22.14.0-headers.tar.gz failed, reason: getaddrinfo ENOTFOUND nodejs.org
`;
  expect(faultOfInstall(output).message).toBe(
    'Could not download the headers of Node 22.14.0, which are needed to build better-sqlite3: https://nodejs.org/download/release/v22.14.0/node-v22.14.0-headers.tar.gz (getaddrinfo ENOTFOUND nodejs.org). All packages were downloaded.',
  );
  expect(
    faultOfInstall(
      'npm error code ENOTFOUND\nnpm error FetchError: request to https://registry.example.com/zod failed, reason: getaddrinfo ENOTFOUND registry.example.com',
    ).message,
  ).toBe('Could not download the packages: the package registry does not respond.');
});
