import { Stack, TagsInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { BUILT_IN_ROLES } from '../../../../contract/actions.ts';
import { isRecord } from '../../../../lib/is-record.ts';
import { t } from '../../../../lib/language.ts';
import { FieldBox } from './FieldBox.tsx';

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** Who may decide an approval: roles and sign-in names. Without any of them the member is taken away. */
export function ApproversField({
  label,
  help,
  value,
  onChange,
  fault,
}: {
  label: string;
  help: string;
  value: unknown;
  onChange: (value: unknown) => void;
  fault: string | null;
}): ReactNode {
  const given = isRecord(value) ? value : {};
  const set = (key: 'roles' | 'people', next: string[]) => {
    const { [key]: _, ...others } = given;
    const now = next.length === 0 ? others : { ...others, [key]: next };
    onChange(Object.keys(now).length === 0 ? undefined : now);
  };
  return (
    <div role="group" aria-label={label}>
      <FieldBox label={label} help={help} fault={fault}>
        <Stack gap={4}>
          <TagsInput
            aria-label={t('Roles')}
            placeholder={t('Roles. Type one and press Enter')}
            data={[...BUILT_IN_ROLES]}
            value={textsOf(given['roles'])}
            onChange={(next) => set('roles', next)}
          />
          <TagsInput
            aria-label={t('People')}
            placeholder={t('Sign-in names. Type one and press Enter')}
            value={textsOf(given['people'])}
            onChange={(next) => set('people', next)}
          />
        </Stack>
      </FieldBox>
    </div>
  );
}
