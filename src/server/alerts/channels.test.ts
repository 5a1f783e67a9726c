import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ChannelDraft } from '../../contract/alert-channels.ts';
import { startMailServer, type AlertRig } from '../testing/alert-rules.fixture.ts';
import { dedupKey } from './notify/message.ts';
import { admin, alertRigs } from '../testing/alerts.fixture.ts';

const { closes, open, receiver } = alertRigs();

/** An alert that fires and then resolves, told to this channel. */
async function tellOf(rig: AlertRig, draft: ChannelDraft): Promise<string> {
  const { id } = await rig.alerts.channels.create(draft, admin);
  await rig.alerts.policy.put({ channels: [id], groupWaitSeconds: 0, groupIntervalSeconds: 10 }, admin);
  await rig.alerts.rules.create(
    {
      name: 'Too many',
      query: { source: 'metrics', measurement: 'm', field: 'f', aggregate: 'last' },
      threshold: { op: 'gt', value: 5 },
      intervalSeconds: 10,
      forSeconds: 0,
      noData: 'OK',
      severity: 'critical',
      annotations: { summary: 'It is <b>{{ $value }}</b>', description: 'Look here' },
    },
    admin,
  );
  rig.world.series = [{ tags: {}, value: 9 }];
  await rig.run();
  rig.world.series = [{ tags: {}, value: 1 }];
  await rig.run(10);
  await rig.run(10);
  return id;
}

describe('a channel', () => {
  it('of mail speaks SMTP with TLS and a password, text and HTML', async () => {
    const rig = await open();
    const server = await startMailServer();
    closes.push(server.close);
    const id = await tellOf(rig, {
      name: 'Mail',
      kind: 'email',
      settings: {
        host: '127.0.0.1',
        port: server.port,
        to: 'ops@example.org; night@example.org',
        from: 'yard@example.org',
        user: 'ops',
        verifyTls: false,
      },
      secrets: { password: 'hunter-22' },
    });
    expect(server.mails).toHaveLength(2);
    const [firing = '', resolved = ''] = server.mails;
    expect(firing).toContain('Subject: [FIRING:1] Too many');
    expect(firing).toMatch(/To: ops@example.org, night@example.org/);
    expect(firing).toMatch(/Message-ID: <[0-9a-f-]{36}@yardmaster>/);
    expect(firing).toContain('multipart/alternative');
    expect(firing).toContain('&lt;b&gt;9&lt;/b&gt;');
    expect(resolved).toContain('Subject: [RESOLVED:1] Too many');
    await rig.alerts.channels.update(id, { secrets: { password: 'wrong' } }, admin);
    expect(await rig.alerts.channels.test(id, admin)).toMatchObject({
      ok: false,
      status: 535,
      answer: expect.stringContaining('wrong password'),
    });
    // A server that does not offer TLS gets no mail, nor the password.
    await rig.alerts.channels.update(id, { settings: { host: '127.0.0.1', port: 1, to: 'ops@example.org' } }, admin);
    expect(await rig.alerts.channels.test(id, admin)).toMatchObject({ ok: false, status: null });
  });

  it('of chat posts what Slack and Teams understand', async () => {
    for (const kind of ['slack', 'teams'] as const) {
      const rig = await open();
      const hook = await receiver();
      const id = await tellOf(rig, {
        name: 'Chat',
        kind,
        secrets: { url: hook.url },
        ...(kind === 'slack' ? { settings: { channel: '#night' } } : {}),
      });
      const bodies = hook.received.map(({ body }) => body);
      if (kind === 'slack') {
        expect(bodies).toMatchObject([
          {
            channel: '#night',
            username: 'Yardmaster',
            attachments: [
              {
                title: '[FIRING:1] Too many',
                title_link: 'http://master:8700/alerts',
                color: '#D63232',
                text: expect.stringContaining('Look here'),
                ts: expect.any(Number),
              },
            ],
          },
          { attachments: [{ title: '[RESOLVED:1] Too many', color: '#36a64f' }] },
        ]);
      } else {
        expect(bodies[0]).toMatchObject({
          type: 'message',
          attachments: [
            {
              contentType: 'application/vnd.microsoft.card.adaptive',
              content: {
                type: 'AdaptiveCard',
                version: '1.4',
                body: [{ type: 'TextBlock', text: '[FIRING:1] Too many' }, { type: 'TextBlock' }],
              },
            },
          ],
        });
      }
      expect(rig.alerts.channels.get(id)).toMatchObject({ secretsSet: ['url'], lastError: null, waiting: 0 });
    }
  });

  it('of paging opens and closes one incident', async () => {
    const rig = await open();
    const hook = await receiver();
    hook.state.status = 202;
    await tellOf(rig, { name: 'Page', kind: 'pagerduty', settings: { url: hook.url }, secrets: { routingKey: 'R0' } });
    const [trigger, resolve] = hook.received.map(({ body }) => body);
    const key = dedupKey('{}:{alertname="Too many"}');
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(trigger).toMatchObject({
      routing_key: 'R0',
      dedup_key: key,
      event_action: 'trigger',
      client: 'Yardmaster',
      payload: {
        summary: '[FIRING:1] Too many',
        source: 'master:8700',
        severity: 'critical',
        class: 'Too many',
        custom_details: { num_firing: '1', num_resolved: '0' },
      },
    });
    expect(resolve).toMatchObject({
      dedup_key: key,
      event_action: 'resolve',
      payload: { custom_details: { num_resolved: '1' } },
    });
  });

  it('that is a hook proves who sends: by a token, a name and password, or a signature', async () => {
    const rig = await open();
    const hook = await receiver();
    const id = await tellOf(rig, {
      name: 'Hook',
      kind: 'webhook',
      title: '{{ $status }} {{ $alertname }}',
      settings: { url: hook.url, headers: { 'X-Team': 'shop' } },
      secrets: { bearer: 't0', hmac: 'k0' },
    });
    const { headers, body } = hook.received[0] as (typeof hook.received)[number];
    expect(headers).toMatchObject({
      authorization: 'Bearer t0',
      'x-team': 'shop',
      'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(headers['x-yardmaster-signature']).toBe(
      `sha256=${createHmac('sha256', 'k0').update(JSON.stringify(body)).digest('hex')}`,
    );
    expect(body['title']).toBe('FIRING Too many');
    await rig.alerts.channels.update(
      id,
      { secrets: { bearer: null, password: 'p' }, settings: { url: hook.url, user: 'u' } },
      admin,
    );
    expect(await rig.alerts.channels.test(id, admin)).toMatchObject({ ok: true, status: 200, answer: 'ok' });
    expect(hook.received.at(-1)?.headers['authorization']).toBe(`Basic ${Buffer.from('u:p').toString('base64')}`);
  });

  it('of the desktop is carried by the live stream', async () => {
    const rig = await open();
    const id = await tellOf(rig, { name: 'Screens', kind: 'desktop' });
    const notes = rig.published.filter((name) => name.startsWith('note:')).map((name) => rig.alerts.event(name));
    expect(notes).toMatchObject([
      { kind: 'notification', status: 'firing', title: '[FIRING:1] Too many' },
      { kind: 'notification', status: 'resolved' },
    ]);
    expect(rig.alerts.channels.get(id).lastError).toBeNull();
  });

  it('is not tried again at once where the receiver refuses for good, nor sent elsewhere by a redirect', async () => {
    const rig = await open();
    const hook = await receiver();
    Object.assign(hook.state, { status: 400, text: 'bad key' });
    await tellOf(rig, { name: 'Hook', kind: 'webhook', settings: { url: hook.url } });
    expect(rig.alerts.history({ page: 0, size: 9, kind: 'notification' }).items).toMatchObject(
      [0, 1].map(() => ({ ok: false, attempt: 1, answer: '400 bad key' })),
    ); // once at each tick of the group
    Object.assign(hook.state, { status: 307, headers: { location: hook.url } });
    const { id } = await rig.alerts.channels.create(
      { name: 'Moved', kind: 'webhook', settings: { url: hook.url } },
      admin,
    );
    expect(await rig.alerts.channels.test(id, admin)).toMatchObject({ ok: false, status: 307 });
  });

  it('is checked before it is kept', async () => {
    const rig = await open();
    const bad: [ChannelDraft, string][] = [
      [{ name: 'x', kind: 'email', settings: { host: 'mail' } }, '/settings/to'],
      [{ name: 'x', kind: 'email', settings: { to: 'a@b' } }, '/settings/host'],
      [{ name: 'x', kind: 'slack' }, '/secrets/url'],
      [{ name: 'x', kind: 'slack', secrets: { url: 'ftp://x' } }, '/secrets/url'],
      [{ name: 'x', kind: 'pagerduty' }, '/secrets/routingKey'],
      [{ name: 'x', kind: 'webhook' }, '/settings/url'],
      [{ name: 'x', kind: 'webhook', settings: { url: 'http://user:password@127.0.0.1/' } }, '/settings/url'],
      [{ name: 'x', kind: 'webhook', settings: { url: 'http://169.254.169.254/latest' } }, '/settings/url'],
      [{ name: 'x', kind: 'desktop', secrets: { x: 'y' } }, '/secrets/x'],
      [{ name: 'x', kind: 'desktop', title: '{{ $nothing }}' }, '/title'],
    ];
    for (const [draft, pointer] of bad)
      await expect(rig.alerts.channels.create(draft, admin)).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        errors: [{ pointer }],
      });
    await expect(rig.alerts.channels.remove('desktop', admin)).rejects.toMatchObject({ code: 'ALERT_BUILT_IN' });
    const { id } = await rig.alerts.channels.create({ name: 'Used', kind: 'desktop' }, admin);
    await rig.alerts.policy.put({ channels: [], routes: [{ matchers: [], channels: [id] }] }, admin);
    await expect(rig.alerts.channels.remove(id, admin)).rejects.toMatchObject({ code: 'CHANNEL_IN_USE' });
    await expect(rig.alerts.policy.put({ channels: ['nobody'] }, admin)).rejects.toMatchObject({
      code: 'CHANNEL_NOT_FOUND',
    });
    await expect(
      rig.alerts.policy.put({ routes: [{ matchers: [{ name: 'a', op: '=~', value: '(' }] }] }, admin),
    ).rejects.toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ pointer: '/routes/0/matchers/0/value' }] });
  });
});

describe('what is secret in a channel', () => {
  it('lies encrypted, is shown to nobody and goes with its key', async () => {
    const [old, fresh] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
    const hook = await receiver();
    let rig = await open({ givenKeys: old });
    const { id } = await rig.alerts.channels.create(
      { name: 'Chat', kind: 'slack', secrets: { url: `${hook.url}?token=hunter-22` } },
      admin,
    );
    const shown = JSON.stringify([rig.alerts.channels.get(id), await rig.access.audit.list({ page: 0, size: 9 })]);
    expect(shown).not.toContain('hunter');
    const next = async (givenKeys: string) => {
      const folder = await rig.crash();
      closes.splice(closes.length - 1, 1);
      for (const name of ['yardmaster.db', 'yardmaster.db-wal'])
        expect(readFileSync(join(folder, name)).includes('hunter')).toBe(false);
      rig = await open({ folder, givenKeys });
    };
    await next(`${fresh},${old}`);
    await next(fresh);
    expect(await rig.alerts.channels.test(id, admin)).toMatchObject({ ok: true });
    await next(old);
    expect(rig.alerts.channels.get(id).readable).toBe(false);
    expect(rig.said.join()).toContain('cannot be decrypted');
    await expect(rig.alerts.channels.test(id, admin)).rejects.toMatchObject({ code: 'SECRETS_LOCKED' });
    await rig.alerts.channels.update(id, { name: 'Renamed' }, admin);
    await next(fresh);
    expect(await rig.alerts.channels.test(id, admin)).toMatchObject({ ok: true });
  });
});
