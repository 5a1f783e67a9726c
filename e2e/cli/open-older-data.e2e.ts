import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { unpackTar } from 'modern-tar';
import type { Page } from '../../src/contract/shapes.ts';
import { line, node } from '../support/workflow-definitions.ts';
import { forget, publish, startMaster, temporaryFolder, type TestMaster } from '../support/master.ts';

/**
 * `data`: a data folder that version 0.1.0 wrote before its sources were rearranged, with secrets of its own that open
 * nothing else. `answers.json`: what that version answered to reads of the API, and a key that it made.
 */
const ARCHIVE = new URL('../fixtures/data-folder-0.1.0.tar.gz', import.meta.url);

interface Recorded {
  key: string;
  /** Texts by path. */
  answers: Record<string, string>;
}

async function unpack(folder: string): Promise<Recorded> {
  for (const { header, data } of await unpackTar(gunzipSync(readFileSync(ARCHIVE)))) {
    if (header.type !== 'file' || data === undefined) continue;
    const file = join(folder, header.name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, data, { mode: 0o600 });
  }
  return JSON.parse(readFileSync(join(folder, 'answers.json'), 'utf8'));
}

/** A master uses the key of its start screen itself. */
const withoutUse = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer, (name, value: unknown) => (name === 'lastUsedAt' ? undefined : value)));

/** The answer under a path as it was kept with the older data. */
async function answerAt({ url, token }: TestMaster, path: string): Promise<unknown> {
  return (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })).json();
}

test('a data folder of the version before opens with all that is in it', async () => {
  const folder = temporaryFolder('older');
  const { key, answers } = await unpack(folder);
  const master = await startMaster({ data: join(folder, 'data'), workers: 1 });
  try {
    await test.step('workflows by their hashes, publications, jobs, tasks, keys, dashboards, logs and metrics', async () => {
      expect(Object.keys(answers).length).toBeGreaterThan(60);
      for (const [path, before] of Object.entries(answers))
        // What was told then is told now; members may have come since.
        expect(withoutUse(await answerAt(master, path)), path).toMatchObject(
          withoutUse(JSON.parse(before)) as Record<string, unknown>,
        );
    });

    await test.step('rules, what fires and who looks after it, and settings', async () => {
      const { items } = await master.call('alerts.list');
      expect(items.find(({ ruleName }) => ruleName === 'Quiet shop')).toMatchObject({
        state: 'Alerting',
        acknowledged: { note: 'noon' },
      });
      expect((await master.call('settings.get')).limits.eventWaitSeconds).toBe(55);
    });

    await test.step('its key calls what it published, to the last digit', async () => {
      const answer = await master.event('orders/prod', [{ quantity: 5 }], { 'api-key': key });
      expect(await answer.json()).toEqual([{ quantity: 5, total: 10 }]);
    });

    await test.step('its secrets can be read by what may read them', async () => {
      const source = 'return ctx.secrets.SHOP_PASSWORD.length;';
      await publish(master, 'reads-secret', line('Reads a secret', node('read', 'code', { source })));
      const answer = await master.event('reads-secret/dev', [{}], { 'api-key': key });
      expect(await answer.json()).toEqual(['a-throw-away-password'.length]);
    });

    await test.step('a job that failed is run again', async () => {
      const { items }: Page<{ id: string; externalId: string }> = JSON.parse(answers['/api/v1/jobs?size=100'] ?? '');
      const failed = items.find(({ externalId }) => externalId === 'order-3')?.id ?? '';
      await master.call('jobs.retry', { params: { jobId: failed } });
      const attempt = async () => (await master.tasks(failed)).find(({ node: name }) => name === 'check')?.attempt;
      await expect.poll(attempt).toBe(2);
      await expect.poll(async () => (await master.job(failed)).status).toBe('FAILED');
    });
  } finally {
    await master.stop();
    forget(folder);
  }
});
