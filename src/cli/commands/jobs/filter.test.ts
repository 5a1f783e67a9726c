import { beforeEach, expect, it } from 'vitest';
import { fakeMaster } from '../../process-io.fake.ts';

let asked: string[] = [];
const master = fakeMaster(({ method, path }) => {
  asked.push(`${method} ${path}`);
  return { items: [], page: 0, size: 20, totalItems: 0, totalPages: 0 };
});
beforeEach(() => (asked = []));

it('sends a query as it is written', async () => {
  const query = 'status:failed duration:>5s error:"timed out"';
  expect(await master.yardmaster(['jobs', 'list', '--query', query])).toMatchObject({ code: 0, out: 'no jobs' });
  expect(asked).toHaveLength(1);
  expect(new URL(`http://x${asked[0]?.split(' ')[1]}`).searchParams.get('query')).toBe(query);
});

it('marks what is wrong in a query, and asks nobody', async () => {
  const { code, err } = await master.yardmaster(['jobs', 'list', '--query', 'status:failed duration:>5']);
  expect(code).toBe(2);
  expect(err).toContain('duration needs a duration');
  expect(err).toContain('  status:failed duration:>5\n                          ^');
  expect(asked).toEqual([]);
});
