import type { Command } from 'commander';
import type { Channel } from '../../contract/alert-channels.ts';
import type { Body } from '../../contract/routes.ts';
import type { AlertRule, Matcher } from '../../contract/alert-rules.ts';
import type { Alert, AlertHistory, Silence } from '../../contract/alerts.ts';
import { ALERT_STATES, type AlertState, LABEL_NAME } from '../../contract/vocabulary.ts';
import { Fault } from '../../lib/fault.ts';
import { apiCommand, paging, type PageFlags } from '../api-command.ts';
import { readJson } from '../workflow-file.ts';
import type { ProcessIo } from '../process-io.ts';
import { list, MS, option } from '../options.ts';
import { pageLine, table } from '../text-table.ts';

const labelsOf = (labels: Record<string, string>): string =>
  Object.entries(labels)
    .filter(([name]) => name !== 'alertname' && name !== 'severity')
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
const MATCHER = new RegExp(`^(${LABEL_NAME.slice(1, -1)})(=~|!~|!=|=)(.*)$`, 's');

/** `name=value`, `name!=value`, `name=~regex`, `name!~regex`. */
export function matcherIn(text: string): Matcher {
  const [, name, op, value = ''] = MATCHER.exec(text) ?? [];
  if (name === undefined || op === undefined)
    throw new Fault(
      'USAGE',
      `expected a matcher such as name=value, name!=value, name=~regex or name!~regex, got "${text}"`,
    );
  return { name, op: op as Matcher['op'], value: /^".*"$/s.test(value) ? value.slice(1, -1) : value };
}

/** `90s`, `30m`, `2h`, `7d` as seconds. */
export function secondsIn(text: string): number {
  const [, count, unit = ''] = /^(\d{1,7})([smhd])$/.exec(text) ?? [];
  const ms = MS[unit];
  if (ms === undefined) throw new Fault('USAGE', `expected a duration such as 30s, 5m, 2h or 1d, got "${text}"`);
  return (Number(count) * ms) / 1000;
}

/** `yardmaster alerts …`. */
export function alertsCommands(root: Command, io: ProcessIo): void {
  const group = root.command('alerts').description('alerts, alert rules, silences and channels');

  const find = apiCommand(
    group,
    io,
    'list',
    'list active alerts (all states but Normal)',
    async (session, { page, size, state }: PageFlags & { state?: AlertState[] }) => {
      const found = await session.api.call('alerts.list', { query: { page, size, state } });
      const row = (one: Alert) => [
        one.state,
        one.severity,
        one.ruleName,
        one.value === null ? null : Number(one.value.toPrecision(6)),
        one.startsAt ?? one.activeAt,
        labelsOf(one.labels),
        one.silencedBy.length > 0 ? 'silenced' : one.inhibitedBy.length > 0 ? 'inhibited' : null,
        one.acknowledged
          ? `${one.acknowledged.by}, ${one.acknowledged.at}${one.acknowledged.note === '' ? '' : `: ${one.acknowledged.note}`}`
          : null,
        one.id,
      ];
      session.show(found, () => [
        ...table(
          ['state', 'severity', 'alert', 'value', 'since', 'labels', 'suppressed', 'acknowledged by', 'id'],
          found.items.map(row),
          'no active alerts',
        ),
        ...pageLine(found),
      ]);
    },
  );
  option(paging(find, io), io, '--state <state>', `only these (${ALERT_STATES.join(', ')})`, { parse: list });

  const take = apiCommand(
    group,
    io,
    'acknowledge <id>',
    'acknowledge an alert: no repeat messages until it resolves or gets worse',
    async (session, { note }: { note?: string }, id) => {
      const taken = await session.api.call('alerts.acknowledge', {
        params: { id },
        body: note === undefined ? {} : { note },
      });
      session.show(taken, () => [
        `acknowledged by ${taken.acknowledged?.by ?? ''}: ${taken.ruleName} ${labelsOf(taken.labels)}`.trim(),
      ]);
    },
  );
  option(take, io, '--note <text>', 'what you are doing about it');
  apiCommand(
    group,
    io,
    'unacknowledge <id>',
    'remove the acknowledgement: messages are repeated again',
    async (session, _flags, id) => {
      const left = await session.api.call('alerts.unacknowledge', { params: { id } });
      session.show(left, () => [`acknowledgement removed: ${left.ruleName} ${labelsOf(left.labels)}`.trim()]);
    },
  );

  const past = apiCommand(
    group,
    io,
    'history',
    'alerts fired and messages sent',
    async (session, { page, size }: PageFlags) => {
      const found = await session.api.call('alerts.history', { query: { page, size } });
      const row = (one: AlertHistory) => [
        one.at,
        one.kind === 'state'
          ? `${one.from ?? ''} → ${one.to ?? ''}`
          : `${one.ok ? 'sent' : 'FAILED'} ${one.status ?? ''} to ${one.channelName ?? ''}`,
        one.ruleName ?? one.title,
        one.value,
        one.kind === 'state' ? labelsOf(one.labels) : one.answer,
      ];
      session.show(found, () => [
        ...table(['at', 'what', 'alert', 'value', 'details'], found.items.map(row), 'no history'),
        ...pageLine(found),
      ]);
    },
  );
  paging(past, io);

  rules(group, io);
  silences(group, io);
  channels(group, io);
}

function rules(parent: Command, io: ProcessIo): void {
  const group = parent.command('rules').description('alert rules');
  const find = apiCommand(group, io, 'list', 'list rules', async (session, { page, size }: PageFlags) => {
    const found = await session.api.call('alertRules.list', { query: { page, size } });
    const row = (one: AlertRule) => [
      one.id,
      one.name,
      one.enabled ? one.state : 'off',
      one.firing,
      one.severity,
      one.lastEvaluatedAt,
      one.lastError,
    ];
    session.show(found, () => [
      ...table(['id', 'name', 'state', 'firing', 'severity', 'evaluated', 'error'], found.items.map(row), 'no rules'),
      ...pageLine(found),
    ]);
  });
  paging(find, io);
  apiCommand(group, io, 'create <file>', 'create a rule from a JSON file', async (session, _flags, file) => {
    const made = await session.api.call('alertRules.create', {
      body: await readJson<Body<'alertRules.create'>>(file, io),
    });
    session.show(made, () => [`created ${made.name} (${made.id})`]);
  });
  apiCommand(
    group,
    io,
    'update <id> <file>',
    'update a rule from a JSON file (only the given members change)',
    async (session, _flags, id, file) => {
      const made = await session.api.call('alertRules.update', {
        params: { id },
        body: await readJson<Body<'alertRules.update'>>(file, io),
      });
      session.show(made, () => [`changed ${made.name}`]);
    },
  );
  for (const [verb, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    apiCommand(group, io, `${verb} <id>`, `switch a rule ${enabled ? 'on' : 'off'}`, async (session, _flags, id) => {
      const made = await session.api.call('alertRules.update', { params: { id }, body: { enabled } });
      session.show(made, () => [`${made.name} is ${enabled ? 'on' : 'off'}`]);
    });
  }
  apiCommand(group, io, 'delete <id>', 'delete a rule', async (session, _flags, id) => {
    await session.api.call('alertRules.delete', { params: { id } });
    session.show({ id, deleted: true }, () => [`deleted ${id ?? ''}`]);
  });
}

function silences(parent: Command, io: ProcessIo): void {
  const group = parent.command('silences').description('silences');
  const find = apiCommand(group, io, 'list', 'list silences', async (session, { page, size }: PageFlags) => {
    const found = await session.api.call('silences.list', { query: { page, size } });
    const row = (one: Silence) => [
      one.id,
      one.state,
      one.endsAt,
      one.alerts,
      one.matchers.map(({ name, op, value }) => `${name}${op}${value}`).join(' '),
      one.createdBy,
      one.comment,
    ];
    session.show(found, () => [
      ...table(['id', 'state', 'until', 'alerts', 'matchers', 'by', 'comment'], found.items.map(row), 'no silences'),
      ...pageLine(found),
    ]);
  });
  paging(find, io);
  const add = apiCommand(
    group,
    io,
    'add <matchers...>',
    'silence matching alerts, such as alertname="Worker down" worker_id=~w1.*',
    async (session, flags: { for: string; comment: string }, matchers) => {
      const body = {
        matchers: matchers.map(matcherIn),
        comment: flags.comment ?? 'from the command line',
        durationSeconds: secondsIn(flags.for ?? '1h'),
      };
      const made = await session.api.call('silences.create', { body });
      session.show(made, () => [`silenced until ${made.endsAt} (${made.id})`]);
    },
  );
  option(add, io, '--for <duration>', 'duration (default: 1h)');
  option(add, io, '--comment <text>', 'why');
  apiCommand(group, io, 'expire <id>', 'end a silence now', async (session, _flags, id) => {
    await session.api.call('silences.expire', { params: { id } });
    session.show({ id, expired: true }, () => [`ended ${id ?? ''}`]);
  });
}

function channels(parent: Command, io: ProcessIo): void {
  const group = parent.command('channels').description('notification channels');
  const find = apiCommand(group, io, 'list', 'list channels', async (session, { page, size }: PageFlags) => {
    const found = await session.api.call('channels.list', { query: { page, size } });
    const row = (one: Channel) => [
      one.id,
      one.name,
      one.kind,
      one.enabled ? 'on' : 'off',
      one.lastSentAt,
      one.waiting,
      one.lastError,
    ];
    session.show(found, () => [
      ...table(['id', 'name', 'kind', 'on', 'last sent', 'waiting', 'error'], found.items.map(row), 'no channels'),
      ...pageLine(found),
    ]);
  });
  paging(find, io);
  apiCommand(
    group,
    io,
    'create <file>',
    'create a channel from a JSON file, including its secrets',
    async (session, _flags, file) => {
      const made = await session.api.call('channels.create', {
        body: await readJson<Body<'channels.create'>>(file, io),
      });
      session.show(made, () => [`created ${made.name} (${made.id})`]);
    },
  );
  apiCommand(group, io, 'test <id>', 'send a test message', async (session, _flags, id) => {
    const told = await session.api.call('channels.test', { params: { id } });
    if (!told.ok)
      throw new Fault('CHANNEL_FAILED', `the receiver rejected the message: ${told.status ?? ''} ${told.answer}`);
    session.show(told, () => [`accepted in ${told.durationMs} ms: ${told.status ?? ''} ${told.answer}`.trim()]);
  });
  apiCommand(group, io, 'delete <id>', 'delete a channel', async (session, _flags, id) => {
    await session.api.call('channels.delete', { params: { id } });
    session.show({ id, deleted: true }, () => [`deleted ${id ?? ''}`]);
  });

  const policy = parent
    .command('policy')
    .description('show the notification policy: which alerts go to which channels');
  apiCommand(policy, io, 'show', 'print the policy as JSON', async (session) => {
    const found = await session.api.call('alertPolicy.get');
    session.show(found, () => JSON.stringify(found, null, 2).split('\n'));
  });
  apiCommand(policy, io, 'set <file>', 'replace the policy with a JSON file', async (session, _flags, file) => {
    const set = await session.api.call('alertPolicy.replace', {
      body: await readJson<Body<'alertPolicy.replace'>>(file, io),
    });
    session.show(set, () => ['policy updated']);
  });
}
