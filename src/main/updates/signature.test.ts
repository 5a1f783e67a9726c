import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { signFeed } from '../../../scripts/lib/update-key.mjs';
import { verifyFeed } from './signature.ts';

const pair = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
};
const own = pair();
const feed = 'version: 1.3.0\nfiles:\n  - url: yardmaster.deb\n    sha512: abc\n';
const signature = signFeed('latest-linux.yml', feed, own.privateKey);

test('a feed passes that was signed when the packages were made', () => {
  expect(() => verifyFeed('latest-linux.yml', feed, `${signature}\n`, own.publicKey)).not.toThrow();
});

test.each([
  ['was changed', 'latest-linux.yml', feed.replace('abc', 'abd'), signature],
  ['is that of another system', 'latest.yml', feed, signature],
  ['was signed by somebody else', 'latest-linux.yml', feed, signFeed('latest-linux.yml', feed, pair().privateKey)],
  ['has half a signature', 'latest-linux.yml', feed, signature.slice(0, 40)],
  ['has no signature that is one', 'latest-linux.yml', feed, '<html>Not found</html>'],
])('a feed is refused that %s', (_what, name, text, given) => {
  expect(() => verifyFeed(name, text, given, own.publicKey)).toThrow(/was not signed with the key of this app/);
});

test('a feed without a signature is refused, and says where one is expected', () => {
  for (const none of [null, '', ' \n'])
    expect(() => verifyFeed('latest-linux.yml', feed, none, own.publicKey)).toThrow(/latest-linux\.yml\.sig/);
});
