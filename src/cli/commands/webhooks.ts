import type { Command } from 'commander';
import { HMAC_PRESETS, type HmacPreset } from '../../contract/webhook-presets.ts';
import type { Webhook, WebhookVerifyIn } from '../../contract/webhooks.ts';
import type { Environment } from '../../contract/vocabulary.ts';
import { Fault } from '../../lib/fault.ts';
import { isOneOf } from '../../lib/is-one-of.ts';
import { apiCommand, paging, type PageFlags } from '../api-command.ts';
import { option } from '../options.ts';
import type { ProcessIo } from '../process-io.ts';
import { pageLine, table } from '../text-table.ts';

const SECRET = 'YARDMASTER_WEBHOOK_SECRET';

interface CreateFlags {
  path?: string;
  verify?: string;
  username?: string;
  header?: string;
  filter?: string;
  mapping?: string;
  output?: boolean;
  responseMapping?: string;
  description?: string;
}

/** `yardmaster webhooks …`: public paths that start jobs. A secret never stands on a command line, where others could read it. */
export function webhooksCommands(root: Command, io: ProcessIo): void {
  const group = root.command('webhooks').description('public paths where other services start jobs');
  const find = apiCommand(
    group,
    io,
    'list [workflow]',
    'list webhooks',
    async (session, { page, size }: PageFlags, workflowId) => {
      const query = { page, size, ...(workflowId === undefined ? {} : { workflowId }) };
      const found = await session.api.call('webhooks.list', { query });
      session.show(found, () => [
        ...table(
          ['id', 'workflow', 'environment', 'url', 'verification', 'state', 'last delivery'],
          found.items.map((one) => [
            one.id,
            one.workflowId,
            one.environment,
            one.url,
            verification(one),
            state(one),
            one.lastDelivery ? `${one.lastDelivery.receivedAt} ${one.lastDelivery.verdict}` : null,
          ]),
          'no webhooks',
        ),
        ...pageLine(found),
      ]);
    },
  );
  paging(find, io);

  const create = apiCommand(
    group,
    io,
    'create <workflow> <environment>',
    `create a webhook; a secret of the sender is read from ${SECRET}, else one is made and shown once`,
    async (session, flags: CreateFlags, workflowId, environment) => {
      const made = await session.api.call('webhooks.create', {
        body: {
          workflowId,
          // The master checks it.
          environment: environment as Environment,
          verify: verifyIn(flags, io.env[SECRET]),
          ...(flags.path === undefined ? {} : { path: flags.path }),
          ...(flags.description === undefined ? {} : { description: flags.description }),
          ...(flags.filter === undefined ? {} : { filter: flags.filter }),
          ...(flags.mapping === undefined ? {} : { mapping: flags.mapping }),
          ...(flags.responseMapping === undefined ? {} : { responseMapping: flags.responseMapping }),
          response: flags.output || flags.responseMapping !== undefined ? 'output' : 'accepted',
        },
      });
      session.show(made, () => [made.url, ...(made.secret === undefined ? [] : [`secret: ${made.secret}`])]);
    },
  );
  option(create, io, '--path <path>', 'part of the URL behind /hooks/ (default: random)');
  option(create, io, '--verify <how>', `${HMAC_PRESETS.join(', ')} (HMAC), key, basic or none (default: generic)`);
  option(create, io, '--username <name>', 'with basic: the name that is sent');
  option(create, io, '--header <name>', 'header with the signature or the key (default: that of the kind)');
  option(create, io, '--filter <jsonata>', 'deliveries for which it is not true start no job');
  option(create, io, '--mapping <jsonata>', 'makes the inputs of the job (default: the body)');
  option(create, io, '--output', 'answer with the output of the job, not at once');
  option(create, io, '--response-mapping <jsonata>', 'makes status, headers and body of the answer from the output');
  option(create, io, '--description <text>', 'what it is for');

  apiCommand(group, io, 'show <id>', 'show a webhook', async (session, _flags, id) => {
    const found = await session.api.call('webhooks.get', { params: { id } });
    session.show(found, () => [
      found.url,
      `${found.workflowId} in ${found.environment}, ${verification(found)}, ${state(found)}`,
      ...(found.filter === null ? [] : [`filter: ${found.filter}`]),
      ...(found.mapping === null ? [] : [`mapping: ${found.mapping}`]),
      ...(found.responseMapping === null ? [] : [`response mapping: ${found.responseMapping}`]),
    ]);
  });

  for (const [verb, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const)
    apiCommand(
      group,
      io,
      `${verb} <id>`,
      enabled ? 'accept deliveries again' : 'refuse all deliveries, as if the path were unknown',
      async (session, _flags, id) => {
        const changed = await session.api.call('webhooks.update', { params: { id }, body: { enabled } });
        session.show(changed, () => [`${verb}d ${changed.url}`]);
      },
    );

  const rotate = apiCommand(
    group,
    io,
    'rotate <id>',
    `replace the secret of a webhook by that in ${SECRET}, else by one that is made and shown once`,
    async (session, { overlap }: { overlap?: string }, id) => {
      const secret = io.env[SECRET];
      const changed = await session.api.call('webhooks.rotate', {
        params: { id },
        body: {
          ...(secret ? { secret } : {}),
          ...(overlap === undefined ? {} : { overlapSeconds: Number(overlap) }),
        },
      });
      session.show(changed, () => [
        changed.secret === undefined ? `changed ${changed.url}` : `secret: ${changed.secret}`,
      ]);
    },
  );
  option(rotate, io, '--overlap <seconds>', 'how long the secret before it stays valid (default: 0)');

  apiCommand(group, io, 'delete <id>', 'delete a webhook and its deliveries', async (session, _flags, id) => {
    await session.api.call('webhooks.delete', { params: { id } });
    session.show({ id, deleted: true }, () => [`deleted ${id}`]);
  });

  const deliveries = apiCommand(
    group,
    io,
    'deliveries <id> [delivery]',
    'list the latest deliveries, or show one with headers and body',
    async (session, { page, size }: PageFlags, id, delivery) => {
      if (delivery !== undefined) {
        const found = await session.api.call('webhooks.delivery', { params: { id, delivery } });
        return session.show(found, () => [
          `${found.receivedAt}  ${found.verdict} (${found.status})${found.reason === null ? '' : `: ${found.reason}`}`,
          ...(found.jobId === null ? [] : [`job ${found.jobId}`]),
          `${found.method} ${found.query}`,
          ...Object.entries(found.headers).map(([name, value]) => `${name}: ${value}`),
          '',
          found.body ?? `(${found.size} bytes, not kept)`,
        ]);
      }
      const found = await session.api.call('webhooks.deliveries', { params: { id }, query: { page, size } });
      session.show(found, () => [
        ...table(
          ['id', 'received', 'result', 'status', 'job', 'delivery ID', 'bytes', 'reason'],
          found.items.map((one) => [
            one.id,
            one.receivedAt,
            one.verdict,
            String(one.status),
            one.jobId,
            one.deliveryId,
            String(one.size),
            one.reason,
          ]),
          'no deliveries',
        ),
        ...pageLine(found),
      ]);
    },
  );
  paging(deliveries, io);

  apiCommand(
    group,
    io,
    'replay <id> <delivery>',
    'start a job with a delivery that came before',
    async (session, _flags, id, delivery) => {
      const started = await session.api.call('webhooks.replay', { params: { id, delivery } });
      session.show(started, () => [
        started.jobId === null ? 'the filter dropped the delivery' : `job ${started.jobId}`,
      ]);
    },
  );
}

function verifyIn({ verify = 'generic', username, header }: CreateFlags, secret: string | undefined): WebhookVerifyIn {
  const inHeader = header === undefined ? {} : { header };
  if (isOneOf(HMAC_PRESETS, verify)) {
    const preset: HmacPreset = verify;
    return { type: 'hmac', preset, ...inHeader, ...(secret ? { secret } : {}) };
  }
  switch (verify) {
    case 'none':
      return { type: 'none' };
    case 'key':
      return { type: 'key', ...inHeader, ...(secret ? { key: secret } : {}) };
    case 'basic':
      if (username === undefined) throw new Fault('USAGE', 'basic needs --username');
      return { type: 'basic', username, ...(secret ? { password: secret } : {}) };
    default:
      throw new Fault('USAGE', `--verify must be ${HMAC_PRESETS.join(', ')}, key, basic or none; got ${verify}`);
  }
}

const verification = ({ verify }: Webhook): string =>
  verify.type === 'hmac' ? `hmac (${verify.preset})` : verify.type;
const state = ({ enabled, readable }: Webhook): string =>
  !readable ? 'SECRET MISSING' : enabled ? 'enabled' : 'disabled';
