import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Webhook, WebhookCreated } from '../../../contract/webhooks.ts';
import { openHookMaster, type HookMaster } from './hooks.fixture.ts';

let rig: HookMaster;
beforeAll(async () => {
  rig = await openHookMaster({ webhookRefusalsPerSecond: 0 });
});
afterAll(() => rig.close());

const firstDelivery = (id: string) =>
  vi.waitFor(async () => {
    const [latest] = await rig.deliveries(id);
    if (!latest) throw new Error('no delivery yet');
    return latest;
  });

describe('a delivery starts a job', () => {
  it('with its JSON as the input, and is answered at once', async () => {
    const hook = await rig.make();
    expect(hook.url).toBe(`${rig.url}/hooks/${hook.path}`);
    const answer = await rig.send(hook.path, { content: 'a', id: 1 });
    expect([answer.status, answer.body.status]).toEqual([202, 'EMPTY']);
    expect(await rig.inputOf(answer.body.jobId)).toEqual([{ content: 'a', id: 1 }]);
    const job = await rig.call('GET', `/api/v1/jobs/${answer.body.jobId}`);
    expect(job.body).toMatchObject({ trigger: { kind: 'webhook', id: hook.id } });
    expect(await rig.deliveries(hook.id)).toMatchObject([
      { verdict: 'ACCEPTED', status: 202, jobId: answer.body.jobId, body: '{"content":"a","id":1}', method: 'POST' },
    ]);
  });

  it('by any method and content type', async () => {
    const { path } = await rig.make();
    const inputOf = async (...sent: Parameters<HookMaster['send']>) => {
      const answer = await rig.send(...sent);
      expect(answer.status).toBe(202);
      return rig.inputOf(answer.body.jobId);
    };
    expect(await inputOf(`${path}?a=1&b=2&b=3`, null, {}, 'GET')).toEqual([{ a: '1', b: ['2', '3'] }]);
    expect(await inputOf(path, new URLSearchParams({ From: '+49', Body: 'hi' }), {}, 'PUT')).toEqual([
      { From: '+49', Body: 'hi' },
    ]);
    expect(await inputOf(path, 'plain', { 'content-type': 'text/plain' })).toEqual([{ body: 'plain' }]);
    expect(await inputOf(path, Buffer.from([255, 0]), { 'content-type': 'image/png' })).toEqual([{ base64: '/wA=' }]);
    const form = new FormData();
    form.append('title', 'x');
    form.append('file', new Blob(['abc'], { type: 'text/csv' }), 'a.csv');
    expect(await inputOf(path, form)).toEqual([
      {
        fields: { title: 'x' },
        files: [{ name: 'file', filename: 'a.csv', contentType: 'text/csv', size: 3, base64: 'YWJj' }],
      },
    ]);
  });

  it('only where the filter lets it through, with inputs that the mapping makes', async () => {
    const { id, path } = await rig.make({
      filter: 'headers."x-event" = "push"',
      mapping: 'body.commits.{"sha": id, "by": $$.query.by}',
    });
    const commits = { commits: [{ id: 12345678901234567890n }, { id: 2 }] };
    const text = JSON.stringify({ commits: [{ id: 0 }, { id: 2 }] }).replace('0', String(commits.commits[0]?.id));
    const json = { 'content-type': 'application/json' };
    const dropped = await rig.send(path, text, { ...json, 'x-event': 'ping' });
    expect([dropped.status, dropped.body]).toEqual([200, { jobId: null, status: 'FILTERED' }]);
    const answer = await rig.send(`${path}?by=me`, text, { ...json, 'x-event': 'push' });
    expect(answer.status).toBe(202);
    const { body } = await rig.call('GET', `/api/v1/jobs/${answer.body.jobId}`);
    expect(body).toMatchObject({ inputCount: 2 });
    expect((await rig.deliveries(id)).map(({ verdict }) => verdict)).toEqual(['ACCEPTED', 'FILTERED']);
  });

  it('and is answered with the output, its status and its headers as the mapping says', async () => {
    const plain = await rig.make({ response: 'output' });
    const output = await rig.send(plain.path, { a: 1 });
    expect([output.status, output.body]).toEqual([200, { a: 1 }]);
    expect(output.headers.get('x-job-id')).toMatch(/^[0-9a-f-]{36}$/);

    const mapped = await rig.make({
      response: 'output',
      responseMapping:
        '{"status": 201, "headers": {"content-type": "application/xml", "x-seen": output.a}, "body": "<ok>" & output.a & "</ok>"}',
    });
    const answer = await rig.send(mapped.path, { a: 7 });
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('x-seen'), answer.text]).toEqual([
      201,
      'application/xml',
      '7',
      '<ok>7</ok>',
    ]);
    // It is the console's own host: no page, no script, no cookie, nor what a proxy in front would obey.
    for (const [name, value] of [
      ['content-type', 'text/html'],
      ['set-cookie', 'a=b'],
      ['x-frame-options', 'x'],
      ['X-Accel-Redirect', '/private/backup'],
      ['x-sendfile', '/etc/passwd'],
    ]) {
      const responseMapping = `{"headers": {"${name}": "${value}"}, "body": "x"}`;
      const { path } = await rig.make({ response: 'output', responseMapping });
      expect((await rig.send(path, { a: 1 })).body.code).toBe('EXPRESSION_FAILED');
    }
    expect(answer.headers.get('content-security-policy')).toContain('sandbox');
  });

  it('once for each delivery ID, also after a restart', async () => {
    const { id, path, secret = '' } = await rig.make({ verify: { type: 'hmac', preset: 'github' } });
    const first = await rig.github(path, secret, { a: 1 }, 'delivery-1');
    expect(first.status).toBe(202);
    const again = await rig.github(path, secret, { a: 1 }, 'delivery-1');
    expect([again.status, again.body.code, again.body.jobId]).toEqual([409, 'REPLAYED', first.body.jobId]);
    await rig.restart();
    expect((await rig.github(path, secret, { a: 1 }, 'delivery-1')).status).toBe(409);
    expect((await rig.github(path, secret, { a: 1 }, 'delivery-2')).status).toBe(202);
    const at = await Promise.all(Array.from({ length: 10 }, () => rig.github(path, secret, { a: 1 }, 'delivery-3')));
    expect(at.map(({ status }) => status).toSorted()).toEqual([202, ...Array.from({ length: 9 }, () => 409)]);
    expect((await rig.deliveries(id)).filter(({ verdict }) => verdict === 'ACCEPTED')).toHaveLength(3);
  });

  it('once for each ID that is signed with the body, whatever content type it is sent again with', async () => {
    for (const [preset, member] of [
      ['stripe', 'id'],
      ['slack', 'event_id'],
    ] as const) {
      const { path, secret = '' } = await rig.make({ verify: { type: 'hmac', preset } });
      const text = JSON.stringify({ [member]: 'evt_1', n: 1 });
      const seconds = String(Math.floor(Date.now() / 1000));
      const sign = (content: string) => createHmac('sha256', secret).update(content).digest('hex');
      const headers: Record<string, string> =
        preset === 'stripe'
          ? { 'stripe-signature': `t=${seconds},v1=${sign(`${seconds}.${text}`)}` }
          : { 'x-slack-request-timestamp': seconds, 'x-slack-signature': `v0=${sign(`v0:${seconds}:${text}`)}` };
      const send = (type: string) => rig.send(path, Buffer.from(text), { ...headers, 'content-type': type });
      const { status, body } = await send('application/json');
      expect(status).toBe(202);
      for (const type of [
        'text/plain',
        'application/octet-stream',
        'application/x-www-form-urlencoded',
        'application/jsonx',
      ])
        expect([type, (await send(type)).body]).toMatchObject([type, { code: 'REPLAYED', jobId: body.jobId }]);
    }
  });

  it('once for each signature where deliveries have no ID', async () => {
    const { path, secret = '' } = await rig.make({ verify: { type: 'hmac' } });
    const text = '{"a":1}';
    const headers = {
      'content-type': 'application/json',
      'x-signature': createHmac('sha256', secret).update(text).digest('hex'),
    };
    expect((await rig.send(path, text, headers)).status).toBe(202);
    expect((await rig.send(path, text, headers)).status).toBe(409);
  });
});

describe('what is refused', () => {
  it('an unknown path, a wrong signature and a switched-off webhook, before anything is read of the body', async () => {
    const { id, path } = await rig.make({ verify: { type: 'hmac', preset: 'github' } });
    const wrong = await rig.github(path, 'another', { a: 1 }, 'x');
    expect([wrong.status, wrong.body.code]).toEqual([401, 'SIGNATURE_INVALID']);
    expect(wrong.body.detail).not.toMatch(/x-hub|sha256/);
    const unknown = await rig.github('nothing-here', 'another', { a: 1 }, 'x');
    expect([unknown.status, unknown.body.code]).toEqual([404, 'WEBHOOK_NOT_FOUND']);
    expect(await firstDelivery(id)).toMatchObject({
      verdict: 'SIGNATURE_INVALID',
      body: null,
      replayable: false,
      reason: expect.stringContaining('not that of the body'),
    });
    await rig.call('PATCH', `/api/v1/webhooks/${id}`, { enabled: false });
    expect((await rig.github(path, 'another', { a: 1 }, 'x')).status).toBe(404);
  });

  it('a body that is not what it says, and inputs that the workflow does not take, with the reason for operators', async () => {
    await rig.publish('strict', { input: { type: 'object', required: ['content'] } });
    const { id, path } = await rig.make({ workflowId: 'strict' });
    const broken = await rig.send(path, '{"a":', { 'content-type': 'application/json' });
    expect([broken.status, broken.body.code]).toEqual([400, 'INVALID_JSON']);
    const invalid = await rig.send(path, { a: 1 });
    expect([invalid.status, invalid.body.code]).toEqual([422, 'INPUT_INVALID']);
    await vi.waitFor(async () => expect(await rig.deliveries(id)).toHaveLength(2));
    expect((await rig.deliveries(id))[0]).toMatchObject({
      verdict: 'FAILED',
      code: 'INPUT_INVALID',
      reason: 'the input at /0/content is required',
      replayable: true,
    });
  });

  it('a body over the limit, and more deliveries in a second than the webhook takes', async () => {
    const { path } = await rig.make({ perSecond: 1 });
    const large = await rig.send(path, Buffer.alloc(1024 * 1024 + 1), { 'content-type': 'text/plain' });
    expect([large.status, large.body.code]).toEqual([413, 'BODY_TOO_LARGE']);
    const answers = await Promise.all(Array.from({ length: 20 }, () => rig.send(path, { a: 1 })));
    const limited = answers.find(({ status }) => status === 429);
    expect(limited?.body.code).toBe('RATE_LIMITED');
    expect(limited?.headers.get('retry-after')).toBe('1');
  });

  it('by the rate of its workflow, whatever else calls it', async () => {
    await rig.publish('rated');
    await rig.call('PATCH', '/api/v1/workflows/rated', { limits: { eventsPerSecond: 1 } });
    const { path } = await rig.make({ workflowId: 'rated' });
    const key = await rig.call<{ key: string }>('POST', '/api/v1/keys', {
      name: 'rated',
      workflows: ['rated'],
      environments: ['dev'],
    });
    const call = () =>
      fetch(`${rig.url}/api/v1/events/rated/dev`, {
        method: 'POST',
        headers: { 'api-key': key.body.key, 'content-type': 'application/json' },
        body: '[{"a":1}]',
      });
    const from = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? call() : rig.send(path, { i }))),
    );
    const seconds = (performance.now() - from) / 1000;
    const taken = answers.filter(({ status }) => status !== 429);
    expect(taken.length).toBeGreaterThan(0);
    expect(taken.length).toBeLessThanOrEqual(1 + seconds);
  });
});

describe('bodies of strangers', () => {
  it('that do not end take no memory without an end, and keep nobody else out', async () => {
    const { path } = await rig.make();
    const { port } = new URL(rig.url);
    const cut: string[] = [];
    const slow = Array.from({ length: 90 }, () => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => {}).on('data', (data: Buffer) => void cut.push(data.toString().slice(9, 12)));
      socket.write(`POST /hooks/${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: ${1024 * 1024}\r\n\r\n`);
      socket.write(Buffer.alloc(1024 * 1024 - 1, 'a'));
      return socket;
    });
    // Of 64 MiB in all, the oldest of whoever has the most give way.
    await vi.waitFor(() => expect(cut.length).toBeGreaterThanOrEqual(26));
    expect(new Set(cut)).toEqual(new Set(['503']));
    expect((await rig.send(path, { a: 1 })).status).toBe(202);
    for (const socket of slow) socket.destroy();
  });
});

describe('kept deliveries', () => {
  it('hold neither secrets nor signatures in the clear, nor bodies in the database file', async () => {
    const { id, path } = await rig.make({ verify: { type: 'key', key: 'the-very-secret-key' } });
    const body = { card: 'tell-no-one-0123456789' };
    await rig.send(path, body, { 'x-api-key': 'the-very-secret-key', authorization: 'Bearer hidden-token-1' });
    const [delivery] = await rig.deliveries(id);
    expect(delivery?.headers).toMatchObject({ 'x-api-key': '[redacted]', authorization: '[redacted]' });
    expect(delivery?.body).toBe(JSON.stringify(body));
    const bytes = readdirSync(rig.folder)
      .filter((name) => name.startsWith('yardmaster.db'))
      .map((name) => readFileSync(join(rig.folder, name), 'latin1'))
      .join('');
    for (const hidden of ['the-very-secret-key', 'hidden-token-1']) expect(bytes).not.toContain(hidden);
  });

  it('show no key where its sender repeats it, nor what lets in by its form', async () => {
    const key = 'the-very-secret-key';
    const { id, path } = await rig.make({ verify: { type: 'key', key } });
    await rig.send(
      `${path}?tenant=a&access_token=hidden-1&copy=${key}`,
      { copy: key },
      {
        'x-api-key': key,
        'x-copy': `v=${key}`,
        'x-forwarded-user': 'Bearer hidden-2',
        'x-id': 'eyJhbGciOiJub25lIn0.e30.',
      },
    );
    const [delivery] = await rig.deliveries(id);
    expect(delivery?.headers).toMatchObject({
      'x-copy': '[redacted]',
      'x-forwarded-user': '[redacted]',
      'x-id': '[redacted]',
    });
    expect(delivery?.query).toBe('?tenant=a&access_token=[redacted]&copy=[secret of this webhook]');
    expect(JSON.stringify(delivery)).not.toContain(key);
    // It is for people alone: what the workflow is given is what came.
    expect(await rig.inputOf(delivery?.jobId ?? '')).toEqual([{ copy: key }]);
  });

  it('can be replayed by hand, which starts a job of its own and is in the audit log', async () => {
    const { id, path, secret = '' } = await rig.make({ verify: { type: 'hmac', preset: 'github' } });
    const first = await rig.github(path, secret, { a: 1 }, 'd');
    const [delivery] = await rig.deliveries(id);
    const at = `/api/v1/webhooks/${id}/deliveries`;
    const replay = await rig.call<{ jobId: string }>('POST', `${at}/${delivery?.id}/replay`);
    expect(replay.status).toBe(202);
    expect(replay.body.jobId).not.toBe(first.body.jobId);
    expect(await rig.inputOf(replay.body.jobId)).toEqual([{ a: 1 }]);
    expect((await rig.deliveries(id))[0]).toMatchObject({ replayOf: delivery?.id, deliveryId: 'd' });
    const audit = await rig.call('GET', '/api/v1/audit?action=webhook.replay');
    expect(audit.body).toMatchObject({ totalItems: 1 });
    expect((await rig.call('POST', `${at}/nothing/replay`)).body.code).toBe('DELIVERY_NOT_FOUND');
  });

  it('are the latest only', async () => {
    const few = await openHookMaster({ webhookDeliveries: 3 });
    const { id, path } = await few.make();
    for (let n = 0; n < 5; n++) await few.send(path, { n });
    expect((await few.deliveries(id)).map(({ body }) => body)).toEqual(['{"n":4}', '{"n":3}', '{"n":2}']);
    await few.close();
  });
});

describe('the settings of a webhook', () => {
  it('are checked, with the reason at the member', async () => {
    const make = (draft: object) =>
      rig.call('POST', '/api/v1/webhooks', {
        workflowId: 'echo',
        environment: 'dev',
        verify: { type: 'none' },
        ...draft,
      });
    const pointers = async (draft: object) => (await make(draft)).body.errors?.map(({ pointer }) => pointer);
    expect(await pointers({ verify: { type: 'basic' } })).toEqual(['/verify/username']);
    expect(await pointers({ verify: { type: 'none', secret: 'x' } })).toEqual(['/verify/secret']);
    expect(await pointers({ mapping: 'a +' })).toEqual(['/mapping']);
    expect(await pointers({ path: '../x' })).toEqual(['/path']);
    expect((await make({ workflowId: 'nothing' })).body.code).toBe('WORKFLOW_NOT_FOUND');
    await make({ path: 'chosen' });
    expect((await make({ path: 'chosen' })).body.code).toBe('WEBHOOK_PATH_TAKEN');
  });

  it('give a secret that was made once, and replace it while the old one still works', async () => {
    const { id, path, secret = '' } = await rig.make({ verify: { type: 'hmac', preset: 'github' } });
    expect(secret).toHaveLength(43);
    expect((await rig.call<WebhookCreated>('GET', `/api/v1/webhooks/${id}`)).body.secret).toBeUndefined();
    const rotated = await rig.call<WebhookCreated>('POST', `/api/v1/webhooks/${id}/rotate`, { overlapSeconds: 3600 });
    expect(rotated.body.verify.previousUntil).not.toBeNull();
    expect((await rig.github(path, secret, { a: 1 }, '1')).status).toBe(202);
    expect((await rig.github(path, rotated.body.secret ?? '', { a: 1 }, '2')).status).toBe(202);
    await rig.call('POST', `/api/v1/webhooks/${id}/rotate`, {});
    expect((await rig.github(path, secret, { a: 1 }, '3')).status).toBe(401);
  });

  it('survive a restart, and end with its deletion', async () => {
    const { id, path } = await rig.make({ description: 'Kept' });
    await rig.restart();
    expect((await rig.call<Webhook>('GET', `/api/v1/webhooks/${id}`)).body.description).toBe('Kept');
    expect((await rig.call('DELETE', `/api/v1/webhooks/${id}`)).status).toBe(204);
    expect((await rig.send(path, { a: 1 })).status).toBe(404);
    expect((await rig.call('GET', `/api/v1/webhooks/${id}`)).body.code).toBe('WEBHOOK_NOT_FOUND');
  });

  it('answer Slack when it asks whether the address is right', async () => {
    const { path, secret = '' } = await rig.make({ verify: { type: 'hmac', preset: 'slack' } });
    const text = '{"type":"url_verification","challenge":"abc"}';
    const seconds = String(Math.round(Date.now() / 1000));
    const answer = await rig.send(path, text, {
      'content-type': 'application/json',
      'x-slack-request-timestamp': seconds,
      'x-slack-signature': `v0=${createHmac('sha256', secret).update(`v0:${seconds}:${text}`).digest('hex')}`,
    });
    expect([answer.status, answer.body]).toEqual([200, { challenge: 'abc' }]);
  });
});
