import { Checkbox, Group, Select, TextInput } from '@mantine/core';
import { ENVIRONMENTS, type Environment } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { bindChoice, bindText } from '../../../ui/bind.ts';
import { LIFETIMES } from './expiry.ts';

/** The name of a key or token. */
export const CredentialName = ({ value, onChange }: { value: string; onChange(name: string): void }) => (
  <TextInput
    label={t('Name')}
    description={t('Who or what uses it')}
    {...bindText(value, onChange)}
    maxLength={200}
    data-autofocus
    required
  />
);

/** In how many days it ends; '': never. */
export const Lifetime = ({ value, onChange }: { value: string; onChange(days: string): void }) => (
  <Select label={t('Expires')} data={LIFETIMES} {...bindChoice(value, onChange)} />
);

/** Any number of environments. */
export const EnvironmentChoice = ({
  description,
  value,
  onChange,
}: {
  description?: string;
  value: readonly Environment[];
  onChange(environments: Environment[]): void;
}) => (
  <Checkbox.Group
    label={t('Environments')}
    {...(description === undefined ? {} : { description })}
    value={[...value]}
    onChange={(chosen) => onChange(ENVIRONMENTS.filter((one) => chosen.includes(one)))}
  >
    <Group gap="md" mt={4}>
      {ENVIRONMENTS.map((one) => (
        <Checkbox key={one} value={one} label={one} />
      ))}
    </Group>
  </Checkbox.Group>
);
