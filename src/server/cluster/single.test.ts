import { expect, it } from 'vitest';
import { startHarness } from '../testing/http.fixture.ts';

it('tells of a single master as the owner of its state, which has nobody to hand it over to', async () => {
  const h = await startHarness();
  const call = (method: 'GET' | 'POST', url: string, token: string) =>
    h.app.inject({
      method,
      url,
      headers: {
        authorization: `Bearer ${token}`,
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      },
      ...(method === 'POST' ? { payload: '{}' } : {}),
    });
  const { statusCode, body } = await call('GET', '/api/v1/cluster', h.tokens.viewer);
  expect(statusCode).toBe(200);
  expect(JSON.parse(body)).toMatchObject({
    mode: 'single',
    partitions: [{ id: 0, epoch: 1, owner: 'master-1', seq: 0 }],
    masters: [{ id: 'master-1', role: 'owner', lagMs: 0 }],
    failovers: [],
    journal: null,
  });
  expect((await call('POST', '/api/v1/cluster/handover', h.tokens.operator)).statusCode).toBe(403);
  const refused = await call('POST', '/api/v1/cluster/handover', h.tokens.admin);
  expect([refused.statusCode, JSON.parse(refused.body).code]).toEqual([409, 'NO_STANDBY']);
  await h.close();
});
