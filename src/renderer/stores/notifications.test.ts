import { describe, expect, it } from 'vitest';
import type { StreamEvent } from '../../contract/stream.ts';
import { notificationForEvent } from './notification-for-event.ts';
import { createNotifications, unreadIn } from './notifications.ts';

function shelf() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}
const lost = (id: string) => ({
  id,
  kind: 'worker' as const,
  tone: 'fail' as const,
  title: 'Worker lost',
  message: id,
  path: `/workers?worker=${id}`,
});
const event = (name: string, data: object) => ({ event: name, data }) as unknown as StreamEvent;

describe('notifications', () => {
  it('are kept, newest first, each once, and are read by one or all', () => {
    const storage = shelf();
    let now = 1;
    const first = createNotifications(storage, () => now++);
    for (const id of ['a', 'b', 'a']) first.getState().add(lost(id));
    expect(first.getState().items.map(({ id, at }) => [id, at])).toEqual([
      ['b', 2],
      ['a', 1],
    ]);
    first.getState().markRead('a');
    const again = createNotifications(storage, () => now++);
    expect(unreadIn(again.getState().items)).toBe(1);
    again.getState().markRead();
    expect(unreadIn(again.getState().items)).toBe(0);
  });
  it('of a kind that is switched off are not taken in, also after a restart', () => {
    const storage = shelf();
    createNotifications(storage, () => 1)
      .getState()
      .hush('worker', true);
    const again = createNotifications(storage, () => 1);
    again.getState().add(lost('a'));
    expect(again.getState().items).toEqual([]);
    again.getState().hush('worker', false);
    again.getState().add(lost('a'));
    expect(again.getState().items).toHaveLength(1);
  });
  it('are two hundred at most, and what was done here counts as read', () => {
    const notifications = createNotifications(null, () => 1);
    for (let i = 0; i < 300; i++) notifications.getState().add(lost(String(i)));
    expect(notifications.getState().items).toHaveLength(200);
    notifications.getState().add({ ...lost('mine'), kind: 'action' });
    expect(notifications.getState().items[0]?.read).toBe(true);
  });
  it('of a storage that someone else wrote into are left out', () => {
    const storage = shelf();
    storage.setItem(
      'yardmaster.notices',
      JSON.stringify({
        items: [{ id: 'x', kind: 'worker', at: 1, title: 't', message: 'm', path: '//evil.example' }, 7, null],
        quiet: ['other'],
      }),
    );
    expect(createNotifications(storage, () => 1).getState()).toMatchObject({ items: [], quiet: [] });
  });
});

describe('what is worth telling', () => {
  const published = {
    id: 'p',
    workflowId: 'orders',
    environment: 'prod',
    hash: 'abcdef',
    previousHash: null,
    description: null,
    publishedAt: '',
    publishedBy: 'ada',
  };
  it('a publication by someone else', () => {
    expect(notificationForEvent(event('publication', published), 'bob')).toMatchObject({
      kind: 'publication',
      path: '/workflows/orders?tab=publish',
    });
    expect(notificationForEvent(event('publication', published), 'ada')).toBeNull();
  });
  it('an operation at its end, not before', () => {
    const operation = { operationId: 'o', kind: 'retry', status: 'RUNNING', total: 3, done: 3, failed: 1 };
    expect(notificationForEvent(event('operation', operation), null)).toBeNull();
    expect(notificationForEvent(event('operation', { ...operation, status: 'COMPLETED' }), null)).toMatchObject({
      tone: 'warn',
      path: '/operations?operation=o',
    });
  });
  it('no worker that stopped in order', () => {
    const stopped = { id: 'w', url: 'http://w', state: 'Down', lastHeartbeatAt: null, ended: { reason: 'stopped' } };
    expect(notificationForEvent(event('worker', stopped), null)).toBeNull();
  });
  it('a worker that is lost and an alert that fires; a job is none', () => {
    expect(
      notificationForEvent(event('worker', { id: 'w', url: 'http://w', state: 'Down', lastHeartbeatAt: null }), null),
    ).toMatchObject({ kind: 'worker' });
    expect(
      notificationForEvent(
        event('worker', { id: 'w', url: 'http://w', state: 'Operational', lastHeartbeatAt: null }),
        null,
      ),
    ).toBeNull();
    expect(
      notificationForEvent(
        event('alert', {
          kind: 'instance',
          id: 'a',
          state: 'Alerting',
          ruleName: 'R',
          annotations: { summary: 'S' },
          startsAt: 't',
          severity: 'critical',
        }),
        null,
      ),
    ).toMatchObject({ kind: 'alert', tone: 'fail', message: 'S' });
    expect(
      notificationForEvent(
        event('alert', {
          kind: 'instance',
          id: 'a',
          state: 'Normal',
          ruleName: 'R',
          annotations: {},
          startsAt: null,
          severity: 'critical',
        }),
        null,
      ),
    ).toBeNull();
    expect(notificationForEvent(event('job', { id: 'j' }), null)).toBeNull();
  });
});
