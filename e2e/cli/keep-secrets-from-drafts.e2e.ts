import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { createApiClient, fetchTransport } from '../../src/lib/api-client.ts';
import { line, node } from '../support/workflow-definitions.ts';
import { forget, publish, startMaster, temporaryFolder } from '../support/master.ts';
import { join } from 'node:path';

const VALUE = 'Hunter-22/x9kQz7Lm';
const BACKWARDS = [...VALUE].reverse().join('');

/** What an operator tries: the value, and what masking might miss. */
const THIEF = node(
  'take',
  'code',
  {
    source:
      "ctx.log('INFO', [...ctx.secrets.SHOP].reverse().join('')); return [...ctx.secrets.SHOP].map(c => c.charCodeAt(0))",
  },
  { retries: 2 },
);

test('an operator gets a secret by no draft, version or rerun; what is published uses it, and each use is noted', async () => {
  const folder = temporaryFolder('secrets');
  const seen: string[] = [];
  const shop = createServer((request, response) => {
    seen.push(request.headers.authorization ?? '');
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ echo: request.headers.authorization }));
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  const master = await startMaster({ data: join(folder, 'data'), workers: 1 });
  const told: string[] = [];
  try {
    const { token } = await master.call('tokens.create', { body: { name: 'olga', role: 'operator' } });
    const keeping: typeof fetch = async (...args) => {
      const answer = await fetch(...args);
      told.push(await answer.clone().text());
      return answer;
    };
    const olga = createApiClient(fetchTransport({ url: master.url, token }, keeping));
    await master.call('secrets.set', { params: { name: 'SHOP' }, body: { value: VALUE } });

    const call = line(
      'Buy',
      node('buy', 'http', {
        method: 'GET',
        url: `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`,
        headers: { authorization: 'Bearer {{secrets.SHOP}}' },
      }),
      node('turn', 'code', { source: "return { turned: [...input.body.echo].reverse().join('') }" }),
    );
    const published = await publish(master, 'buy', call);
    const finished = async (jobId: string) => {
      await expect.poll(async () => (await olga.call('jobs.get', { params: { jobId } })).finishedAt).not.toBeNull();
      return olga.call('tasks.list', { params: { jobId }, query: { size: 50 } });
    };
    const refused = async (jobId: string) => {
      const { items } = await finished(jobId);
      expect(items.filter(({ state }) => state === 'FAILED')).toMatchObject([
        { attempt: 1, error: { code: 'SECRET_FORBIDDEN', retryable: false } },
      ]);
    };

    await test.step('a published version uses it; whoever looks or calls sees it nowhere', async () => {
      const answer = await master.event('buy/dev', [{}]);
      const jobId = answer.headers.get('x-job-id') ?? '';
      expect(await answer.json()).toEqual([{ turned: '[secret SHOP] reraeB' }]);
      expect(seen).toEqual([`Bearer ${VALUE}`]);
      await finished(jobId);
      await olga.call('jobs.output', { params: { jobId } });
      const { items } = await olga.call('audit.list', { query: { action: 'secret.use' } });
      expect(items).toMatchObject([
        { target: 'secret:SHOP', after: { jobId, workflowId: 'buy', environment: 'dev', commit: published } },
      ]);
    });

    await test.step('a draft gets none', async () => {
      const { jobId } = await olga.call('drafts.run', {
        params: { id: 'buy' },
        json: JSON.stringify({ definition: line('Draft', THIEF), inputs: [{}], effects: 'run', waitSeconds: 30 }),
      });
      await refused(jobId);
    });

    let own = '';
    await test.step('neither does a version that is not published, by itself or as a rerun of what was', async () => {
      ({ hash: own } = await olga.call('commits.create', {
        params: { id: 'buy' },
        json: JSON.stringify({ definition: line('Mine', THIEF), message: 'Mine', parent: published }),
      }));
      const batch = await olga.call('jobs.create', { body: { workflowId: 'buy', commit: own, inputs: [{}] } });
      await refused(batch.jobId);
      const [first] = (await olga.call('jobs.list', { query: { workflowId: 'buy', environment: 'dev' } })).items;
      const again = await olga.call('jobs.rerun', { params: { jobId: first?.id ?? '' }, body: { commit: own } });
      await refused(again.jobId);
      // By hand it is asked anew, and refused anew.
      await olga.call('jobs.retry', { params: { jobId: again.jobId } });
      await expect
        .poll(async () => (await finished(again.jobId)).items[0])
        .toMatchObject({ state: 'FAILED', attempt: 2, error: { code: 'SECRET_FORBIDDEN' } });
    });

    await test.step('nor an environment out of the scope, though the operator may publish there', async () => {
      await master.call('secrets.update', { params: { name: 'SHOP' }, body: { scope: { environments: ['prod'] } } });
      await olga.call('workflows.publish', {
        params: { id: 'buy', environment: 'dev' },
        body: { hash: own, description: 'Mine' },
      });
      const answer = await master.event('buy/dev', [{}]);
      expect(answer.status).toBe(502);
      expect(await answer.json()).toMatchObject({ taskCode: 'SECRET_FORBIDDEN' });
    });

    await test.step('where drafts may use it they do, and the log says who ran it', async () => {
      await master.call('secrets.update', { params: { name: 'SHOP' }, body: { scope: { drafts: true } } });
      const run = await olga.call('drafts.run', {
        params: { id: 'buy' },
        json: JSON.stringify({ definition: line('Draft', THIEF), inputs: [{}], waitSeconds: 30 }),
      });
      expect(run.nodes[0]).toMatchObject({ state: 'COMPLETED' });
      const { items } = await olga.call('audit.list', { query: { action: 'secret.use' } });
      expect(items[0]).toMatchObject({ after: { jobId: run.jobId, kind: 'draft', author: 'olga', startedBy: 'olga' } });
      await expect
        .poll(async () => (await olga.call('logs.search', { query: { job_id: run.jobId } })).records.length)
        .toBeGreaterThan(0);
    });

    const all = told.join('\n');
    const codes = [...VALUE].map((letter) => letter.charCodeAt(0));
    for (const form of [VALUE, BACKWARDS, codes.join(','), codes.join(', ')]) expect(all).not.toContain(form);
  } finally {
    await master.stop();
    shop.close();
    forget(folder);
  }
});
