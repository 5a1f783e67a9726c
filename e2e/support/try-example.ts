import { expect } from '@playwright/test';
import { pathTo } from '../../src/lib/api-client.ts';

/** Calls an example workflow of a master, with an API key made for it, and looks whether its console is there. */
export async function tryExample(url: string, token: string): Promise<void> {
  const made = await fetch(url + pathTo('keys.create'), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'try', workflows: ['*'], environments: ['dev'] }),
  });
  const { key } = (await made.json()) as { key: string };
  const answer = await fetch(url + pathTo('events.send', { params: { workflowId: 'shout', environment: 'dev' } }), {
    method: 'POST',
    headers: { 'api-key': key, 'content-type': 'application/json' },
    body: '[{"content":"hello"}]',
  });
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('HELLO')]);
  expect((await fetch(`${url}/`)).headers.get('content-type')).toContain('text/html');
}
