import type { Command } from 'commander';
import type { Approval } from '../../contract/approvals.ts';
import { type Setting, type Settings, isLimit } from '../../contract/settings.ts';
import { apiCommand, type Session } from '../api-command.ts';
import { requestLines } from './approvals.ts';
import type { ProcessIo } from '../process-io.ts';
import { option } from '../options.ts';
import { table } from '../text-table.ts';

/** `yardmaster settings …`: what is in force, and overrides of it. */
export function settingsCommands(root: Command, io: ProcessIo): void {
  const group = root.command('settings').description('limits and settings of the master');
  const find = apiCommand(
    group,
    io,
    'list',
    'list settings: current values and overrides',
    async (session, { changed }: { changed?: boolean }) => {
      const { settings } = await session.api.call('settings.get');
      const shown = changed === true ? settings.filter(({ override }) => override !== null) : settings;
      session.show(shown, () =>
        table(['name', 'value', 'default', 'from - to', 'override', 'takes effect'], shown.map(row), 'no overrides'),
      );
    },
  );
  option(find, io, '--changed', 'only overridden settings');

  apiCommand(
    group,
    io,
    'set <name> <value>',
    'override a setting; separate list items with commas',
    async (session, _flags, name, value) => {
      const answer = await session.api.call('settings.update', {
        body: { [name]: valueOf(name, value) },
      });
      show(session, answer, name);
    },
  );
  apiCommand(group, io, 'reset <name>', 'remove an override', async (session, _flags, name) => {
    show(session, await session.api.call('settings.update', { body: { [name]: null } }), name);
  });
}

function show(session: Session, answer: Settings | Approval, name: string | undefined): void {
  if ('requestedBy' in answer) return session.show(answer, () => requestLines(answer));
  const { settings } = answer;
  const setting = settings.find((one) => one.name === name);
  if (setting)
    session.show(setting, () => [
      `${setting.name} is ${text(setting.value)}${pending(setting) ? ` until the master restarts, then ${text(setting.override ?? setting.default)}` : ''}`,
    ]);
}

const row = (setting: Setting): string[] => [
  setting.name,
  text(setting.value),
  text(setting.default),
  boundsText(setting),
  setting.override === null ? '' : text(setting.override),
  pending(setting) ? 'after restart' : 'now',
];
const boundsText = ({ bounds }: Setting): string =>
  bounds === null ? '' : `${bounds.or === null ? '' : `${bounds.or}, `}${bounds.least} - ${bounds.most}`;
const pending = ({ value, override, default: given }: Setting): boolean =>
  JSON.stringify(value) !== JSON.stringify(override ?? given);
const text = (value: unknown): string =>
  Array.isArray(value) ? value.join(',') : typeof value === 'object' ? JSON.stringify(value) : String(value);

function valueOf(name: string, given: string): unknown {
  if (name === 'httpAllow')
    return given
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
  // Settings that are objects, flags or may be nothing come as JSON.
  if (name === 'protectedEnvironments' || name === 'bulkApprovalOver' || name === 'approvalOverride')
    return json(given);
  return isLimit(name) && given.trim() !== '' && !Number.isNaN(Number(given)) ? Number(given) : given;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
