import { WAIT_FIELDS, type DefinitionFault } from '../../contract/definition.ts';
import type { WaitKind } from '../../contract/vocabulary.ts';

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

/** Faults of a wait node whose config its schema has let pass: settings that do not go together. */
export function checkWait(config: Readonly<Record<string, unknown>>, pointer: string): DefinitionFault[] {
  // The check of its type has let it pass.
  const kind = config['for'] as WaitKind;
  const fault = (name: string, message: string): DefinitionFault => ({
    pointer: name === '' ? pointer : `${pointer}/${name}`,
    code: 'BAD_CONFIG',
    message,
  });
  const faults = Object.keys(config)
    .filter((name) => name !== 'for' && !WAIT_FIELDS[kind].includes(name))
    .map((name) => fault(name, `${name} is not used when waiting for ${ARTICLE[kind]}`));
  if (kind === 'time') {
    const { seconds, until } = config;
    if ((seconds === undefined) === (until === undefined))
      faults.push(fault(until === undefined ? '' : 'until', 'expected exactly one of seconds and until'));
    if (typeof until === 'string' && !until.includes('{{') && !(TIME.test(until) && !Number.isNaN(Date.parse(until))))
      faults.push(
        fault('until', 'expected an ISO 8601 time with its zone, such as 2027-01-31T08:00:00Z, or {{ JSONata }}'),
      );
  }
  const { onTimeout } = config;
  if (kind === 'signal' && (onTimeout === 'approve' || onTimeout === 'reject'))
    faults.push(fault('onTimeout', 'a signal is not decided: expected fail or continue'));
  const approvers = config['approvers'] as { roles?: string[]; people?: string[] } | undefined;
  if (approvers && (approvers.roles ?? []).length + (approvers.people ?? []).length === 0)
    faults.push(fault('approvers', 'nobody could decide: name at least one role or person, or leave it out'));
  return faults;
}

const ARTICLE: Readonly<Record<WaitKind, string>> = { time: 'a time', signal: 'a signal', approval: 'an approval' };
