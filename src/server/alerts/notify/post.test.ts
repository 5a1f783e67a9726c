import { createServer, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { post } from './post.ts';

it('says once why nobody was reached', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  expect(await post(`http://127.0.0.1:${port}/hook`, '{}', {}, 5, new AbortController().signal)).toMatchObject({
    ok: false,
    status: null,
    answer: `connect ECONNREFUSED 127.0.0.1:${port}`,
  });
});
