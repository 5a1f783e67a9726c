import { Group, TextInput } from '@mantine/core';
import { t } from '../../../../lib/language.ts';
import { bindText } from '../../../ui/bind.ts';
import { isDestination, isPort, type WayDraft } from './connection-draft.ts';

/** A master behind an SSH server. Keys, jumps and known hosts are those of the system's ssh. */
export function SshFields({ value, onChange }: { value: WayDraft; onChange(value: WayDraft): void }) {
  const { destination, port, sshUrl } = value;
  return (
    <>
      <Group gap="sm" align="flex-start" wrap="nowrap" grow preventGrowOverflow={false}>
        <TextInput
          label={t('SSH server')}
          description={t('host, user@host, or a name of ~/.ssh/config')}
          placeholder="ops@bastion.example.com"
          {...bindText(destination, (text) => onChange({ ...value, destination: text }))}
          error={destination !== '' && !isDestination(destination) && t('Expected host or user@host')}
          spellCheck={false}
          required
        />
        <TextInput
          label={t('SSH port')}
          description={t('Empty: as configured, or 22')}
          maw={170}
          inputMode="numeric"
          {...bindText(port, (text) => onChange({ ...value, port: text }))}
          error={!isPort(port) && t('Expected a number from 1 to 65535')}
        />
      </Group>
      <TextInput
        label={t('Master URL')}
        description={t('As seen from the SSH server: http:// for that machine itself, https:// for others')}
        {...bindText(sshUrl, (text) => onChange({ ...value, sshUrl: text }))}
        spellCheck={false}
        required
      />
      <p className="dim">
        {t(
          'Uses the ssh of this system with your configuration, keys and agent. Connect once in a terminal first, so that the host key is known.',
        )}
      </p>
    </>
  );
}
