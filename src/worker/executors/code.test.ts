import { afterAll, expect, it } from 'vitest';
import { createExecutorTools } from './executors.fixture.ts';

const tools = createExecutorTools();
afterAll(() => tools.close());

it('says on the way out of its thread where code threw', async () => {
  await expect(
    tools.run('code', { source: 'return total(input);\nfunction total(o) { return o.a.b; }' }, {}),
  ).rejects.toMatchObject({
    failure: {
      message: "TypeError: cannot read property 'b' of undefined",
      retryable: false,
      stack: [
        { line: 2, function: 'total' },
        { line: 1, function: null },
      ],
    },
  });
});
