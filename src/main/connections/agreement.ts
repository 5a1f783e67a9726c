import { Fault } from '../../lib/fault.ts';
import { t } from '../../lib/language.ts';
import type { Agree } from '../tunnels/tunnels.ts';
import type { Confirm } from '../window/confirm-dialog.ts';
import type { Connections } from './connections.ts';

/**
 * Before a command of a kubeconfig is run for the first time, a window of the system asks: a page, or whoever can write the file,
 * must not be able to start programs. What was agreed to is that very command with its arguments and environment.
 */
export function createAgreement(connections: Pick<Connections, 'isAgreed' | 'agree'>, confirm: Confirm): Agree {
  return async ({ text, whole }, file, ask) => {
    if (connections.isAgreed(whole)) return;
    const refused = new Fault(
      'CREDENTIALS_COMMAND_REFUSED',
      `the kubeconfig ${file} runs a command for credentials that you have not agreed to: ${text.slice(0, 300)}`,
    );
    if (!ask) throw refused;
    const agreed = await confirm({
      question: t('Run a command for credentials?'),
      detail: t('The kubeconfig {file} gets its credentials from this command, as kubectl would run it: {command}', {
        file,
        command: text.slice(0, 1000),
      }),
      keep: t("Don't run it"),
      allow: t('Run it'),
    });
    if (!agreed) throw refused;
    connections.agree(whole);
  };
}
