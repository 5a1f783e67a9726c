import { expect, test } from 'vitest';
import { createUpdates, parseFeed, type Updater } from './updates.ts';

const feed = 'https://downloads.example.com/yardmaster';
const at = '2026-01-01T00:00:00.000Z';
function updates(own: Partial<Updater> = {}, fromEnvironment?: string) {
  const updater: Updater = {
    setFeed: () => {},
    check: async () => '1.3.0',
    download: async (progress) => (progress(12.7), progress(100)),
    install: () => {},
    ...own,
  };
  return createUpdates({ updater: async () => updater, fromEnvironment, now: () => new Date(at) });
}

test('without a feed nothing is asked', async () => {
  const made = updates({ check: () => Promise.reject(new Error('asked')) });
  made.use(null);
  expect(await made.check()).toMatchObject({ state: 'off' });
});

test('an update is found, downloaded when that is asked for, and put in place by a restart', async () => {
  const feeds: string[] = [];
  let installed = 0;
  const made = updates({ setFeed: (url) => feeds.push(url), install: () => void installed++ });
  const states: string[] = [];
  made.onChange(({ state, percent }) => states.push(`${state}${percent ?? ''}`));
  made.use(`${feed}/`);
  expect(await made.check()).toMatchObject({ state: 'available', version: '1.3.0', checkedAt: at });
  expect(() => made.install()).toThrow(/no update is downloaded/);
  expect(await made.download()).toMatchObject({ state: 'ready' });
  made.install();
  await Promise.resolve();
  expect([feeds, installed, states]).toEqual([
    [feed],
    1,
    ['idle', 'checking', 'available', 'downloading0', 'downloading12', 'downloading100', 'ready'],
  ]);
});

test('what fails is told and can be tried again', async () => {
  let fail = true;
  const made = updates({
    check: async () => (fail ? Promise.reject(new Error('net::ERR_NAME_NOT_RESOLVED\nat x')) : null),
  });
  made.use(feed);
  expect(await made.check()).toMatchObject({
    state: 'failed',
    message: `could not check ${feed} for updates: net::ERR_NAME_NOT_RESOLVED`,
  });
  fail = false;
  expect(await made.check()).toMatchObject({ state: 'current', message: null });
  await expect(made.download()).rejects.toThrow(/check for updates first/);
});

test('a download that breaks is told, and an answer for another feed is none', async () => {
  const broken = updates({ download: () => Promise.reject(new Error('sha512 checksum mismatch')) });
  broken.use(feed);
  await broken.check();
  expect(await broken.download()).toMatchObject({
    state: 'failed',
    message: 'could not download the update: sha512 checksum mismatch',
  });
  let answer: (version: string) => void = () => {};
  const slow = updates({ check: () => new Promise((resolve) => (answer = resolve)) });
  slow.use(feed);
  const asked = slow.check();
  await Promise.resolve();
  await Promise.resolve();
  slow.use('https://elsewhere.example.com');
  answer('9.9.9');
  await asked;
  expect(slow.status()).toMatchObject({ state: 'idle', feed: 'https://elsewhere.example.com', version: null });
});

test('the environment goes before the preference', () => {
  const made = updates({}, 'http://127.0.0.1:8080/feed');
  made.use(feed);
  expect(made.status()).toMatchObject({ state: 'idle', feed: 'http://127.0.0.1:8080/feed', feedFromEnvironment: true });
});

test.each(['', 'downloads.example.com', 'ftp://a', 'http://downloads.example.com', 'https://u:p@a', 'https://a/?x=1'])(
  '%s is no feed',
  (text) => {
    expect(() => parseFeed(text)).toThrow(/expected|could be tampered|must not contain/);
    const made = updates();
    made.use(text);
    expect(made.status()).toMatchObject({ state: 'failed', feed: null });
  },
);
