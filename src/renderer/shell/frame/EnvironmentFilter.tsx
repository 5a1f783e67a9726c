import { Select } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ENVIRONMENTS } from '../../../contract/vocabulary.ts';
import { t } from '../../../lib/language.ts';

/** Narrows the pages of jobs and failures to one environment, and stays so from page to page: it is in the address. */
export function EnvironmentFilter() {
  const { env } = useSearch({ strict: false });
  const navigate = useNavigate();
  // Which page this is, and so what its address may hold, is not known here.
  const choose = (value: string | null) => {
    const next = {
      env: value === null || value === '' ? undefined : value,
      environment: undefined,
      page: undefined,
    };
    void navigate({ to: '.', search: ((old: object) => ({ ...old, ...next })) as never, replace: true });
  };
  return (
    <Select
      aria-label={t('Environment of jobs and failures')}
      data={[{ value: '', label: t('All environments') }, ...ENVIRONMENTS.map((value) => ({ value, label: value }))]}
      value={env ?? ''}
      onChange={choose}
      allowDeselect={false}
      w={160}
      miw="min(160px, 17vw)"
      comboboxProps={{ withinPortal: true }}
    />
  );
}
