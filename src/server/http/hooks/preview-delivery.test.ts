import { afterAll, beforeAll, expect, it } from 'vitest';
import type { WebhookPreview, WebhookPreviewDraft } from '../../../contract/webhooks.ts';
import { openHookMaster, type HookMaster } from './hooks.fixture.ts';

let rig: HookMaster;
beforeAll(async () => {
  rig = await openHookMaster();
  await rig.publish('strict', { input: { type: 'object', required: ['sha'] } });
});
afterAll(() => rig.close());

const json = { 'Content-Type': 'application/json', 'x-event': 'push', authorization: 'Bearer abc' };
const sample = { headers: json, query: '?tenant=a', body: '{"id": 12345678901234567890, "commits": [{"id": "c1"}]}' };
const preview = async (draft: Partial<WebhookPreviewDraft>) =>
  (
    await rig.call<WebhookPreview>('POST', '/api/v1/webhooks/preview', {
      workflowId: 'echo',
      environment: 'dev',
      sample,
      ...draft,
    })
  ).body;

it('shows what expressions are given, and what comes of them, and starts nothing', async () => {
  const shown = await preview({ filter: 'headers."x-event" = "push"', mapping: 'body.commits.{"sha": id}' });
  expect(shown).toMatchObject({
    document: {
      method: 'POST',
      query: { tenant: 'a' },
      headers: { 'x-event': 'push', authorization: '[redacted]' },
      contentType: 'application/json',
    },
    filter: { passes: true, error: null },
    mapping: { inputs: { sha: 'c1' }, error: null },
    refused: null,
  });
  const jobs = await rig.call<{ totalItems: number }>('GET', '/api/v1/jobs?workflowId=echo');
  expect(jobs.body.totalItems).toBe(0);
});

it('tells a filter that drops, an expression that fails, and inputs that are refused, each by itself', async () => {
  expect((await preview({ filter: 'query.tenant = "b"' })).filter).toEqual({ passes: false, error: null });
  const broken = await preview({ filter: '$number("x")', mapping: 'body.' });
  expect(broken.filter.passes).toBeNull();
  expect(broken.filter.error).toContain('x');
  expect(broken.mapping.inputs).toBeNull();
  expect(broken.mapping.error).not.toBeNull();
  expect((await preview({ mapping: 'body.nothing' })).mapping.error).toContain('has no value');
  expect((await preview({ workflowId: 'strict' })).refused).toContain('sha');
  expect((await preview({ environment: 'prod' })).refused).toContain('not published');
  expect((await preview({ mapping: null })).mapping.inputs).toMatchObject({ commits: [{ id: 'c1' }] });
});

it('refuses a delivery that is none, and an unknown workflow', async () => {
  const ask = (draft: object) =>
    rig.call('POST', '/api/v1/webhooks/preview', { workflowId: 'echo', environment: 'dev', sample, ...draft });
  expect(await ask({ sample: { headers: json, body: '{' } })).toMatchObject({
    status: 400,
    body: { code: 'INVALID_JSON' },
  });
  expect(await ask({ workflowId: 'nobody' })).toMatchObject({ status: 404 });
  expect(await ask({ filter: '' })).toMatchObject({ status: 422, body: { code: 'VALIDATION_FAILED' } });
});
