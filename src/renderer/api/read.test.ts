import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { readList } from './read.ts';

afterEach(() => vi.unstubAllGlobals());

it('a list that is as before is taken as it was read, whatever live changes have made of it meanwhile', async () => {
  let body = '{"items":[{"id":"1"}]}';
  const sent: number[] = [];
  vi.stubGlobal('fetch', async (_path: string, { headers }: RequestInit) => {
    const same = new Headers(headers).get('if-none-match') === `"${body.length}"`;
    sent.push(same ? 0 : body.length);
    return new Response(same ? null : body, { status: same ? 304 : 200, headers: { etag: `"${body.length}"` } });
  });
  const client = new QueryClient();
  const list = readList(['secrets', 'list'], 'secrets.list', { query: {} });
  const ids = async () => (await client.fetchQuery({ ...list, staleTime: 0 })).items;
  expect(await ids()).toEqual([{ id: '1' }]);
  client.setQueryData(list.queryKey, { items: [{ id: 'patched' }] } as never);
  expect(await ids()).toEqual([{ id: '1' }]);
  body = '{"items":[{"id":"1"},{"id":"2"}]}';
  expect(await ids()).toEqual([{ id: '1' }, { id: '2' }]);
  expect(await ids()).toEqual([{ id: '1' }, { id: '2' }]);
  expect(sent).toEqual([22, 0, 33, 0]);
});
