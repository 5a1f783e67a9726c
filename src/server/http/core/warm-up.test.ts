import { Ajv } from 'ajv';
import { afterEach, expect, it, vi } from 'vitest';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';
import { createWarmUp } from './warm-up.ts';

let harness: Harness | undefined;
afterEach(async () => {
  vi.restoreAllMocks();
  await harness?.close();
  harness = undefined;
});

it('after the warm-up no request compiles anything', async () => {
  const warmUp = createWarmUp({ firstMs: 0, pauseMs: 0 });
  const started = await startHarness({ services: { warmUp } });
  harness = started;
  const { app, tokens } = started;
  expect(warmUp.left).toBeGreaterThan(100);
  await expect.poll(() => warmUp.left).toBe(0);
  const compile = vi.spyOn(Ajv.prototype, 'compile');
  const serializer = vi.spyOn(app, 'serializerCompiler', 'get');
  const headers = { authorization: `Bearer ${tokens.admin}` };
  for (const url of ['/api/v1/jobs?size=5', '/api/v1/workflows', '/api/v1/workers', '/api/v1/tokens'])
    expect((await app.inject({ url, headers })).statusCode).toBe(200);
  expect(compile).not.toHaveBeenCalled();
  expect(serializer).not.toHaveBeenCalled();
});

it('an answer that is text already needs no serializer, not even the first', async () => {
  const { app, tokens } = (harness = await startHarness());
  const serializer = vi.spyOn(app, 'serializerCompiler', 'get');
  const headers = { authorization: `Bearer ${tokens.viewer}` };
  expect((await app.inject({ url: '/api/v1/jobs?size=5', headers })).json()).toMatchObject({ items: [], size: 5 });
  expect(serializer).not.toHaveBeenCalled();
  expect((await app.inject({ url: '/api/v1/workers', headers })).statusCode).toBe(200);
  expect(serializer).toHaveBeenCalled();
});

it('one that fails holds up none, and a stop leaves the rest', async () => {
  const made: string[] = [];
  const warmUp = createWarmUp({ firstMs: 0, pauseMs: 0 });
  warmUp.add(() => {
    throw new Error('not this one');
  });
  warmUp.add(() => {
    made.push('second');
    warmUp.stop();
  });
  warmUp.add(() => made.push('third'));
  warmUp.start();
  await expect.poll(() => made).toContain('second');
  expect(warmUp.left).toBe(1);
});
