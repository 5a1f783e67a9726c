import { useState } from 'react';
import type { DashboardDefinition } from '../../../../contract/dashboards.ts';
import { t } from '../../../../lib/language.ts';
import { toastInfo } from '../../../ui/toasts.tsx';
import { readDefinition } from './json-text.ts';

const MAX_BYTES = 5_000_000;

/** A definition from a file that is chosen; what is no dashboard is told apart. */
export function useImport(): { imported: DashboardDefinition | null; choose(): void; forget(): void } {
  const [imported, setImported] = useState<DashboardDefinition | null>(null);
  const read = async (file: File) => {
    if (file.size > MAX_BYTES) return toastInfo(t('Not a dashboard'), t('{name} is too large.', { name: file.name }));
    const text = await file.text();
    const { definition, marks } = readDefinition(text);
    const [first] = marks;
    if (definition) setImported(definition);
    else
      toastInfo(
        t('Not a dashboard'),
        `${file.name}, line ${text.slice(0, first?.from ?? 0).split('\n').length}: ${first?.message ?? 'it is empty'}`,
      );
  };
  const choose = () => {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = '.json,application/json';
    input.addEventListener('change', () => input.files?.[0] && void read(input.files[0]));
    input.click();
  };
  return { imported, choose, forget: () => setImported(null) };
}
