import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../../contract/vocabulary.ts';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';

let h: Harness;
beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

async function ask(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
  role: Role = 'admin',
) {
  const answer = await h.app.inject({
    method,
    url: `/api/v1/alerts${path}`,
    headers: { authorization: `Bearer ${h.tokens[role]}` },
    ...(body ? { payload: body } : {}),
  });
  return { status: answer.statusCode, body: (answer.body === '' ? null : answer.json()) as Record<string, unknown> };
}
const RULE = {
  name: 'Slow',
  query: { source: 'metrics', measurement: 'task_metrics', field: 'timer_run_ms', aggregate: 'p95' },
  threshold: { op: 'gt', value: 100 },
};
const SILENCE = { matchers: [{ name: 'alertname', op: '=', value: 'Slow' }], comment: 'planned', durationSeconds: 60 };

describe('alerts', () => {
  it('are looked at by viewers, silenced by operators, and ruled by admins', async () => {
    for (const path of ['', '/rules', '/silences', '/channels', '/policy', '/history'])
      expect((await ask('GET', path, undefined, 'viewer')).status).toBe(200);
    for (const [role, silence, rule] of [
      ['viewer', 403, 403],
      ['operator', 201, 403],
      ['admin', 201, 409],
    ] as const) {
      if (role === 'admin') await ask('POST', '/rules', RULE);
      expect((await ask('POST', '/silences', SILENCE, role)).status).toBe(silence);
      expect((await ask('POST', '/rules', RULE, role)).status).toBe(rule);
      for (const [method, path, body] of [
        ['PUT', '/policy', {}],
        ['POST', '/channels', { name: role, kind: 'desktop' }],
        ['POST', '/channels/desktop/test', undefined],
      ] as const)
        expect([role, path, (await ask(method, path, body, role)).status < 300]).toEqual([
          role,
          path,
          role === 'admin',
        ]);
    }
    const audit = await h.services.access.audit.list({ page: 0, size: 50 });
    expect(audit.items.map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        'alert-rule.create',
        'silence.create',
        'alert-channel.create',
        'alert-channel.test',
        'alert-policy.change',
      ]),
    );
  });

  it('are acknowledged by operators', async () => {
    for (const method of ['POST', 'DELETE'] as const) {
      expect(
        await ask(method, '/none:0/acknowledgement', method === 'POST' ? { note: 'mine' } : undefined, 'operator'),
      ).toMatchObject({ status: 404, body: { code: 'ALERT_NOT_FOUND' } });
      expect((await ask(method, '/none:0/acknowledgement', method === 'POST' ? {} : undefined, 'viewer')).status).toBe(
        403,
      );
    }
    expect((await ask('POST', '/none:0/acknowledgement', { note: 'x'.repeat(2001) }, 'operator')).status).toBe(422);
  });

  it('take a policy as it was read, and leave what is built in as it is', async () => {
    const { body } = await ask('GET', '/policy');
    expect(await ask('PUT', '/policy', { ...body, repeatIntervalSeconds: 60, builtInInhibitions: [] })).toMatchObject({
      status: 200,
      body: { repeatIntervalSeconds: 60, builtInInhibitions: body['builtInInhibitions'] },
    });
    expect((await ask('PUT', '/policy', body)).body).toEqual(body);
  });

  it('say what there is not, and what is not taken', async () => {
    const codes = async (...calls: Parameters<typeof ask>[]) =>
      Promise.all(calls.map(async (call) => (await ask(...call)).body['code']));
    expect(
      await codes(
        ['GET', '/rules/none'],
        ['PATCH', '/rules/none', {}],
        ['DELETE', '/rules/none'],
        ['DELETE', '/silences/none'],
        ['GET', '/channels/none'],
        ['POST', '/channels/none/test'],
      ),
    ).toEqual([
      'ALERT_RULE_NOT_FOUND',
      'ALERT_RULE_NOT_FOUND',
      'ALERT_RULE_NOT_FOUND',
      'SILENCE_NOT_FOUND',
      'CHANNEL_NOT_FOUND',
      'CHANNEL_NOT_FOUND',
    ]);
    expect(
      await ask('POST', '/silences', { ...SILENCE, matchers: [{ name: 'a', op: '!=', value: 'b' }] }),
    ).toMatchObject({ status: 422, body: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/matchers' }] } });
    expect((await ask('POST', '/rules', { ...RULE, name: 'x', threshold: { op: 'near', value: 1 } })).status).toBe(422);
    expect((await ask('DELETE', '/rules/built-in-failure-rate')).body['code']).toBe('ALERT_BUILT_IN');
  });

  it('keep a rule as it was given, and preview one that is not there', async () => {
    const { body } = await ask('POST', '/rules', {
      ...RULE,
      name: 'Kept',
      labels: { team: 'shop' },
      annotations: { summary: '{{ $value }}' },
    });
    expect(body).toMatchObject({
      name: 'Kept',
      builtIn: false,
      state: 'Normal',
      rangeSeconds: 300,
      intervalSeconds: 60,
      forSeconds: 60,
      noData: 'NoData',
      labels: { team: 'shop' },
      lastEvaluatedAt: null,
    });
    expect((await ask('PATCH', `/rules/${String(body['id'])}`, { enabled: false })).body).toMatchObject({
      enabled: false,
      labels: { team: 'shop' },
    });
    expect((await ask('DELETE', `/rules/${String(body['id'])}`)).status).toBe(204);
    expect(
      (await ask('POST', '/preview', { query: RULE.query, threshold: RULE.threshold }, 'viewer')).body,
    ).toMatchObject({ totalSeries: 0, firing: 0, series: [] });
    expect((await ask('POST', '/template', { title: '{{ $alertname }}!' }, 'viewer')).body).toMatchObject({
      title: 'Test!',
    });
  });

  it('never give a secret back', async () => {
    const { body } = await ask('POST', '/channels', {
      name: 'Chat',
      kind: 'slack',
      secrets: { url: 'https://hooks.example.org/hunter-22' },
    });
    expect(body).toMatchObject({ secretsSet: ['url'], settings: {}, readable: true });
    const texts = await Promise.all(
      ['/channels', `/channels/${String(body['id'])}`, '/history'].map(async (path) =>
        JSON.stringify((await ask('GET', path)).body),
      ),
    );
    expect(texts.join()).not.toContain('hunter');
  });
});
