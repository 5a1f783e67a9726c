import { expect, it } from 'vitest';
import type { Channel } from '../../../../contract/alert-channels.ts';
import { channelFromFields, fieldsFromChannel, channelsIn, faultIn, missingIn } from './channel-draft.ts';

it('asks for what a kind needs, not for a secret that is set', () => {
  const fields = fieldsFromChannel(null);
  expect(missingIn(fields, null)).toEqual(['name', 'to', 'host']);
  const slack = { ...fields, name: 'Chat', kind: 'slack' as const };
  expect(missingIn(slack, null)).toEqual(['url']);
  expect(missingIn(slack, { secretsSet: ['url'] } as Channel)).toEqual([]);
});

it('sends secrets apart from settings, and only what was typed', () => {
  const fields = {
    ...fieldsFromChannel(null),
    name: 'Mail',
    values: { to: 'a@b.c', host: 'mail', port: '25', password: 'p' },
    security: 'none' as const,
  };
  expect(channelFromFields(fields, null)).toEqual({
    name: 'Mail',
    kind: 'email',
    settings: { to: 'a@b.c', host: 'mail', port: 25, security: 'none', verifyTls: true },
    sendResolved: true,
    title: null,
    message: null,
    secrets: { password: 'p' },
  });
});

it('says what an address, a port and a receiver have to look like', () => {
  const fields = fieldsFromChannel(null);
  const fault = (kind: 'webhook' | 'email', name: string, text: string) =>
    faultIn(name, { ...fields, kind, values: { [name]: text } });
  expect(fault('webhook', 'url', 'example.com/hook')).toBe('Expected a URL such as https://host/path.');
  expect(fault('webhook', 'url', 'https://example.com/hook')).toBeNull();
  expect(fault('email', 'port', '70000')).toBe('Expected a number from 1 to 65535.');
  expect(fault('email', 'to', 'a@b.c; Night shift <night@example.com>')).toBeNull();
  expect(fault('email', 'to', 'a@b.c; nobody')).toBe('“nobody” is not an email address.');
});

it('knows the channels that a policy sends to, however deep', () => {
  const matchers = [{ name: 'team', op: '=' as const, value: 'shop' }];
  expect([
    ...channelsIn({
      channels: ['all'],
      routes: [{ matchers, channels: ['a'], routes: [{ matchers, routes: [{ matchers, channels: ['deep'] }] }] }],
    }),
  ]).toEqual(['all', 'a', 'deep']);
});
