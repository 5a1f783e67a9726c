import { afterEach, describe, expect, it } from 'vitest';
import { LIMITS, type Limits } from '../../contract/limits.ts';
import { createExpressions } from './expressions.ts';
import type { openProcess } from './process.ts';

const opened: { close(): Promise<void> }[] = [];
const start = (changed = {}, open?: typeof openProcess) => {
  const limits: { -readonly [K in keyof Limits]: Limits[K] } = { ...LIMITS, ...changed };
  const expressions = createExpressions({
    limits,
    projectOf: (workflowId) => workflowId.split('-')[0] ?? null,
    ...(open ? { open } : {}),
  });
  opened.push(expressions);
  return {
    limits,
    evaluate: (source: string, input: string, workflowId = 'shop-orders') =>
      expressions.evaluate(source, input, workflowId),
  };
};
const ENDLESS = '($f := function($n){ $f($n + 1) }; $f(0))';
afterEach(async () => {
  for (const expressions of opened.splice(0)) await expressions.close();
});

describe('expressions of the master', () => {
  it('give the value on an input as JSON text, and null where there is none', async () => {
    const { evaluate } = start();
    expect(await evaluate('{"sum": $sum(items.n)}', '{"items":[{"n":1},{"n":2}]}')).toBe('{"sum":3}');
    expect(await evaluate('nothing.here', '{}')).toBeNull();
  });

  it('keep numbers that a double cannot hold', async () => {
    expect(await start().evaluate('id', '{"id":12345678901234567890}')).toBe('12345678901234567890');
  });

  it('say what is wrong', async () => {
    await expect(start().evaluate('$number("x")', '{}')).rejects.toMatchObject({ code: 'EXPRESSION_FAILED' });
  });

  it('end what takes too long, and go on with the next ones', async () => {
    const { evaluate, limits } = start({ masterExpressionSeconds: 0.2 });
    const endless = evaluate(ENDLESS, '{}');
    await expect(endless).rejects.toMatchObject({ code: 'EXPRESSION_FAILED' });
    limits.masterExpressionSeconds = 60;
    expect(await evaluate('1 + 1', '{}')).toBe('2');
  });

  it('lose a process to an expression that needs too much memory, and nothing else', async () => {
    const { evaluate } = start({ expressionMemoryBytes: 16 * 1024 * 1024, masterExpressionSeconds: 30 });
    await expect(evaluate('[1..9999999].[1..9999999]', '{}')).rejects.toMatchObject({ code: 'EXPRESSION_FAILED' });
    expect(await evaluate('1 + 1', '{}')).toBe('2');
  });

  it('evaluate many at once, each to its own value', async () => {
    const { evaluate } = start();
    const values = await Promise.all(Array.from({ length: 50 }, (_, n) => evaluate('n * 2', `{"n":${n}}`)));
    expect(values).toEqual(values.map((_, n) => String(n * 2)));
  });

  it('of one project wait for none of another', async () => {
    const ending = Promise.withResolvers<void>();
    const { evaluate } = start({}, () => ({
      async run({ source }) {
        if (source !== 'slow') return { kind: 'value', text: '2' };
        await ending.promise;
        return { kind: 'failed', message: 'it took too long' };
      },
      whenIdle: () => {},
      end: async () => {},
    }));
    const ended: string[] = [];
    const slow = Array.from({ length: 8 }, (_, i) =>
      evaluate('slow', '{}', `bad-${i % 4}`).catch((error: { code: string }) => void ended.push(error.code)),
    );
    expect(await evaluate('1 + 1', '{}', 'shop-orders')).toBe('2');
    expect(ended).toEqual([]);
    ending.resolve();
    await Promise.all(slow);
    expect(ended).toEqual(slow.map(() => 'EXPRESSION_FAILED'));
  });

  it('that wait give way to those of others where too many do', async () => {
    const { evaluate } = start({ masterExpressionSeconds: 60 });
    const refused: unknown[] = [];
    const many = Array.from({ length: 1200 }, () =>
      evaluate('1', '{}', 'bad-one').catch((error: { code: string }) => void refused.push(error.code)),
    );
    expect(await evaluate('1 + 1', '{}', 'shop-orders')).toBe('2');
    await Promise.all(many);
    expect(new Set(refused)).toEqual(new Set(['OVERLOADED']));
    expect(refused.length).toBeGreaterThanOrEqual(170);
  });
});
