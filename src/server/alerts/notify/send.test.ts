import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { describe, expect, it } from 'vitest';
import type { startReceiver } from '../../testing/alert-rules.fixture.ts';
import { admin, alertRigs, quick, rule } from '../../testing/alerts.fixture.ts';
import { retryAfter } from './post.ts';

/** What a receiver is told that hangs, drops, asks for patience, or whose master dies with the message in its hands. */

const { closes, killWhen, open, receiver, wired } = alertRigs();
const keys = (hook: Awaited<ReturnType<typeof startReceiver>>) =>
  hook.received.map(({ headers }) => headers['idempotency-key']);
const titles = (hook: Awaited<ReturnType<typeof startReceiver>>) => hook.received.map(({ body }) => body['title']);

/** A receiver that takes every message and answers none. */
async function hanging() {
  const sockets = new Set<Socket>();
  let heard = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('data', () => heard++);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closes.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, heard: () => heard };
}

describe('a master that is killed between the delivery of a message and the note of it', () => {
  /** The receiver has answered; nothing is written down any more. */
  async function killedBehindDelivery() {
    const { rig, hook, at } = await wired();
    await rig.run();
    const killed = killWhen(rig, () => hook.received.length > 0);
    at(['a', 9]);
    rig.clock.advance(10_000);
    rig.step();
    await rig.settled();
    rig.step();
    return { hook, next: await killed() };
  }

  it('delivers it again under the same id', async () => {
    const { hook, next } = await killedBehindDelivery();
    for (let i = 0; i < 5; i++) await next.run(10);
    expect(titles(hook)).toEqual(['[FIRING:1] Too many', '[FIRING:1] Too many']);
    expect(new Set(keys(hook)).size).toBe(1);
  });

  it('tells the end of what the receiver may know of, though it was over before it could be delivered again', async () => {
    const { hook, next } = await killedBehindDelivery();
    hook.state.status = 503;
    next.world.series = [{ tags: { job: 'a' }, value: 1 }];
    for (let i = 0; i < 4; i++) await next.run(10);
    hook.state.status = 200;
    for (let i = 0; i < 60; i++) await next.run(10);
    expect(titles(hook)).toEqual(['[FIRING:1] Too many', '[RESOLVED:1] Too many']);
    expect(next.alerts.stats()).toMatchObject({ firing: 0, waiting: 0 });
  });
});

describe('a receiver that hangs', () => {
  it('is told the end of what it may have taken, and again what fires anew', async () => {
    const { rig, hook, at, channel } = await wired({ rig: { limits: { alertSendSeconds: 2 } } });
    const slow = await hanging();
    await rig.alerts.channels.update(channel, { settings: { url: slow.url } }, admin);
    at(['a', 9]);
    await rig.run();
    expect(slow.heard()).toBe(1);
    at(['a', 1]);
    await rig.run(10);
    await rig.alerts.channels.update(channel, { settings: { url: hook.url } }, admin);
    for (let i = 0; i < 5; i++) await rig.run(10);
    expect(titles(hook)).toEqual(['[RESOLVED:1] Too many']);
    // The end may be known or not: what fires then is news all the same.
    at(['a', 9]);
    for (let i = 0; i < 2; i++) await rig.run(10);
    await rig.alerts.channels.update(channel, { settings: { url: slow.url } }, admin);
    at(['a', 1]);
    await rig.run(10);
    at(['a', 9]);
    await rig.run(10);
    await rig.alerts.channels.update(channel, { settings: { url: hook.url } }, admin);
    for (let i = 0; i < 5; i++) await rig.run(10);
    expect(titles(hook)).toEqual(['[RESOLVED:1] Too many', '[FIRING:1] Too many', '[FIRING:1] Too many']);
  });

  it("keeps nobody else's messages", async () => {
    const rig = await open({ limits: { alertSendSeconds: 60 } });
    const [slow, hook] = [await hanging(), await receiver()];
    const [first, second] = [
      await rig.alerts.channels.create({ name: 'A slow one', kind: 'webhook', settings: { url: slow.url } }, admin),
      await rig.alerts.channels.create({ name: 'Hook', kind: 'webhook', settings: { url: hook.url } }, admin),
    ];
    await rig.alerts.policy.put({ ...quick, groupBy: ['...'], channels: [first.id, second.id] }, admin);
    await rig.alerts.rules.create(rule(), admin);
    rig.world.series = Array.from({ length: 30 }, (_, i) => ({ tags: { job: `j${i}` }, value: 9 }));
    rig.step();
    await expect.poll(() => (rig.step(), hook.received.length)).toBe(30);
    expect(slow.heard()).toBeLessThan(8);
  });
});

describe('a receiver that asks for patience', () => {
  it('is left alone by all messages of its channel for so long', async () => {
    const { rig, hook, at } = await wired({ policy: { groupBy: ['...'] }, rig: { limits: { alertSenders: 2 } } });
    Object.assign(hook.state, { status: 429, headers: { 'retry-after': '300' } });
    at(...Array.from({ length: 6 }, (_, i): [string, number] => [`j${i}`, 9]));
    for (let i = 0; i < 25; i++) await rig.run(10);
    const tries = rig.alerts.history({ page: 0, size: 50, kind: 'notification' }).items;
    expect(tries.map(({ answer, ok }) => [answer, ok])).toEqual([['429 ok', false]]);
    Object.assign(hook.state, { status: 200, headers: {} });
    for (let i = 0; i < 10; i++) await rig.run(10);
    expect(titles(hook)).toHaveLength(6);
  });

  it('says so in seconds or as a date', () => {
    const now = Date.UTC(2026, 0, 1);
    expect(['120', ' 5 ', new Date(now + 90_000).toUTCString(), '99999'].map((text) => retryAfter(text, now))).toEqual([
      120, 5, 90, 3600,
    ]);
    expect(
      [undefined, '', '0', '-3', 'soon', new Date(now - 5000).toUTCString(), '1e9999'].map((text) =>
        retryAfter(text, now),
      ),
    ).toEqual(Array.from({ length: 7 }));
  });
});

describe('a mail server', () => {
  const settings = {
    host: '127.0.0.1',
    security: 'none' as const,
    from: 'yard@example.org',
    to: 'day@example.org; night@example.org',
    singleEmail: false,
  };

  it('that drops the line half-way gets the rest later, and no address the same mail twice', async () => {
    const mails: string[] = [];
    let drops = true;
    const server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      onData(stream, { envelope }, done) {
        stream.resume().on('end', () => {
          const [to] = envelope.rcptTo.map(({ address }) => address);
          if (drops && to === 'night@example.org')
            return void [...(server as unknown as { connections: Set<{ _socket: Socket }> }).connections].forEach(
              ({ _socket }) => _socket.destroy(),
            );
          mails.push(to ?? '');
          done();
        });
      },
    }).on('error', () => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closes.push(() => new Promise((resolve) => server.close(() => resolve())));
    const { rig, at } = await wired();
    const { id } = await rig.alerts.channels.create(
      { name: 'Mail', kind: 'email', settings: { ...settings, port: (server.server.address() as AddressInfo).port } },
      admin,
    );
    await rig.alerts.policy.put({ ...quick, channels: [id] }, admin);
    at(['a', 9]);
    for (let i = 0; i < 3; i++) await rig.run(10);
    expect(mails).toEqual(['day@example.org']);
    drops = false;
    for (let i = 0; i < 10; i++) await rig.run(10);
    expect(mails).toEqual(['day@example.org', 'night@example.org']);
    expect(rig.alerts.channels.get(id)).toMatchObject({ waiting: 0, lastError: null });
  });

  it('that never comes to an end is hung up on', async () => {
    const timers = new Set<NodeJS.Timeout>();
    const server = createServer((socket) => {
      timers.add(setInterval(() => socket.write('220-wait\r\n'), 20));
      socket.on('error', () => {});
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const rig = await open({ limits: { alertSendSeconds: 0.3 } });
    const { id } = await rig.alerts.channels.create(
      { name: 'Mail', kind: 'email', settings: { ...settings, port: (server.address() as AddressInfo).port } },
      admin,
    );
    expect(await rig.alerts.channels.test(id, admin)).toMatchObject({
      ok: false,
      status: null,
      answer: expect.stringMatching(/the mail server did not accept the message within 0.3 s/),
    });
    for (const timer of timers) clearInterval(timer);
    await new Promise((resolve) => server.close(resolve));
  });
});

it('tells as many channels as there may be, each once', async () => {
  const rig = await open();
  const hook = await receiver();
  const ids = await Promise.all(
    Array.from(
      { length: 99 },
      async (_, i) =>
        (
          await rig.alerts.channels.create(
            { name: `Hook ${i}`, kind: 'webhook', settings: { url: `${hook.url}/${i}` } },
            admin,
          )
        ).id,
    ),
  );
  await rig.alerts.policy.put({ ...quick, channels: ids }, admin);
  await rig.alerts.rules.create(rule(), admin);
  for (const value of [9, 1]) {
    rig.world.series = [{ tags: { job: 'a' }, value }];
    for (let i = 0; i < 3; i++) await rig.run(10);
  }
  expect(hook.received).toHaveLength(198);
  expect(new Set(hook.received.map(({ path, body }) => `${path} ${String(body['status'])}`)).size).toBe(198);
});

describe('a clock that jumps an hour', () => {
  it('back neither holds a message back nor tells anything twice', async () => {
    const { rig, hook, at, told } = await wired();
    hook.state.status = 503;
    at(['a', 9]);
    for (let i = 0; i < 3; i++) await rig.run(10);
    rig.clock.advance(-3_600_000);
    hook.state.status = 200;
    for (let i = 0; i < 3; i++) await rig.run(10);
    expect(told()).toEqual(['firing a:firing']);
    at(['a', 1]);
    for (let i = 0; i < 3; i++) await rig.run(10);
    expect(told()).toEqual(['firing a:firing', 'resolved a:resolved']);
  });

  it('forth and back again tells nothing twice, and what happens meanwhile at once', async () => {
    const { rig, at, told } = await wired({ policy: { repeatIntervalSeconds: 14_400 } });
    at(['a', 9]);
    await rig.run(10);
    await rig.run(3600);
    at(['a', 9], ['b', 9]);
    await rig.run(10);
    await rig.run(-3600);
    for (let i = 0; i < 10; i++) await rig.run(10);
    expect(told()).toEqual(['firing a:firing', 'firing a:firing b:firing']);
    at(['b', 1], ['a', 9]);
    for (let i = 0; i < 3; i++) await rig.run(10);
    expect(told().slice(2)).toEqual(['firing a:firing b:resolved']);
  });
});
