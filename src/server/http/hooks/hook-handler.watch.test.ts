import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openHookMaster, type HookMaster } from './hooks.fixture.ts';

/** What operators see of webhooks as a whole: their public address, counters and alerts. */
let rig: HookMaster;
beforeAll(async () => {
  rig = await openHookMaster({ webhookRefusalsPerSecond: 0 }, undefined, 'https://hooks.example.com');
  for (const rule of ['failing', 'refused'])
    await rig.call('PATCH', `/api/v1/alerts/rules/built-in-webhook-${rule}`, { intervalSeconds: 1 });
  await rig.publish('strict', { input: { type: 'object', required: ['n'] } });
});
afterAll(() => rig.close());

const metric = async (name: string): Promise<number> => {
  const text = await (await fetch(`${rig.url}/metrics`, { headers: { authorization: `Bearer ${rig.token}` } })).text();
  return Number(new RegExp(`^yardmaster_webhook_${name}_total (\\S+)$`, 'm').exec(text)?.[1]);
};

it('shows and lists webhooks under the public URL of the master', async () => {
  const { id, path, url } = await rig.make();
  expect(url).toBe(`https://hooks.example.com/hooks/${path}`);
  expect((await rig.call<{ url: string }>('GET', `/api/v1/webhooks/${id}`)).body.url).toBe(url);
});

it('counts what came of deliveries, and alerts where they fail or are refused', async () => {
  const strict = await rig.make({
    workflowId: 'strict',
    verify: { type: 'hmac', preset: 'github' },
    filter: 'body.on',
  });
  const { secret = '' } = strict;
  await rig.github(strict.path, secret, { on: true, n: 1 }, 'first');
  await rig.github(strict.path, secret, { on: true, n: 1 }, 'first');
  await rig.github(strict.path, secret, { on: false }, 'second');
  await rig.github(strict.path, secret, { on: true }, 'third');
  for (let i = 0; i < 12; i++) await rig.github(strict.path, 'another secret', { on: true }, `refused-${i}`);
  const counts = Object.fromEntries(
    await Promise.all(
      ['accepted', 'replayed', 'filtered', 'failed', 'refused'].map(
        async (name) => [name, await metric(name)] as const,
      ),
    ),
  );
  expect(counts).toEqual({ accepted: 1, replayed: 1, filtered: 1, failed: 1, refused: 12 });
  for (const name of ['Webhook deliveries failing', 'Webhook deliveries refused']) {
    const firing = await vi.waitFor(
      async () => {
        const { body } = await rig.call<{ items: { labels: Record<string, string> }[] }>('GET', '/api/v1/alerts');
        const found = body.items.find(({ labels }) => labels['alertname'] === name);
        if (!found) throw new Error(`no alert ${name} among ${JSON.stringify(body.items)}`);
        return found;
      },
      { interval: 100 },
    );
    expect(firing.labels).toMatchObject({ webhook_id: strict.id, workflow_id: 'strict', environment: 'dev' });
  }
});
