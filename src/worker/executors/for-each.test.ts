import { afterAll, describe, expect, it } from 'vitest';
import { createExecutorTools } from './executors.fixture.ts';

const tools = createExecutorTools();
afterAll(() => tools.close());
const list = (items: string, input: unknown) =>
  tools.run('forEach', { items, node: { type: 'transform', config: { expression: '$' } } }, input);
const item = (type: string, config: Record<string, unknown>, input: unknown) =>
  tools.run('forEach', { items: '$', node: { type, config } }, input, undefined, 0);

describe('the list of a forEach', () => {
  it('is what its expression gives, item by item', async () => {
    expect((await list('orders', { orders: [{ id: 1 }, 'b', null, [3]] })).items).toEqual([
      '{"id":1}',
      '"b"',
      'null',
      '[3]',
    ]);
    expect((await list('$map(ids, function($i) { $i * 2 })', { ids: [1, 2] })).items).toEqual(['2', '4']);
    expect((await list('[ids[$ > 5]]', { ids: [1, 6] })).items).toEqual(['6']);
    expect((await list('[ids[$ > 9]]', { ids: [1, 6] })).items).toEqual([]);
  });

  it.each([
    ['42', 'a number'],
    ['name', 'a string'],
    ['nothing', 'nothing'],
    ['$', 'an object'],
  ])('fails where %s gives no array', async (source, what) => {
    await expect(list(source, { name: 'x' })).rejects.toMatchObject({
      failure: {
        code: 'TASK_ERROR',
        message: expect.stringContaining(`the items expression returned ${what}, not an array`),
        retryable: false,
      },
    });
  });

  it('fails where the expression throws, and where the list is too long', async () => {
    await expect(list('$error("no orders")', {})).rejects.toMatchObject({
      failure: { code: 'TASK_ERROR', message: expect.stringContaining('no orders') },
    });
    await expect(list('texts', { texts: Array.from({ length: 1500 }, () => 'x'.repeat(1000)) })).rejects.toMatchObject({
      failure: { code: 'NON_RETRYABLE' },
    });
  });
});

describe('an item of a forEach', () => {
  it('is the input of the inner node', async () => {
    expect((await item('transform', { expression: 'price * 2' }, { price: 4 })).output.value()).toBe(8);
    expect((await item('template', { template: 'Dear {{ name }}' }, { name: 'Ann' })).output.value()).toBe('Dear Ann');
    expect((await item('code', { source: 'return input + 1' }, 1)).output.value()).toBe(2);
  });

  it('goes through a condition as it is, by no port', async () => {
    const outcome = await item('condition', { expression: 'a > 1' }, { a: 2 });
    expect(outcome.output.value()).toEqual({ a: 2 });
    expect(outcome.port).toBeUndefined();
  });

  it('is not run by a node that may not be there', async () => {
    await expect(item('forEach', { items: '$', node: { type: 'transform', config: {} } }, [])).rejects.toMatchObject({
      failure: { code: 'INVALID_DAG' },
    });
  });
});
