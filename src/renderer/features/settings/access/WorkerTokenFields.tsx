import { TagsInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Environment } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { EnvironmentChoice } from './credential-fields.tsx';

/** What a token gives its workers: the environments that they serve, and their labels. */
export function WorkerTokenFields({
  environments,
  onEnvironments,
  labels,
  onLabels,
}: {
  environments: readonly Environment[];
  onEnvironments(environments: Environment[]): void;
  labels: string[];
  onLabels(labels: string[]): void;
}): ReactNode {
  return (
    <>
      <EnvironmentChoice
        description={t('Its workers get only tasks of these, and no drafts. None selected: all tasks.')}
        value={environments}
        onChange={onEnvironments}
      />
      <TagsInput
        label={t('Labels')}
        description={t('Set on its workers, which cannot change them. For example zone=b')}
        value={labels}
        onChange={onLabels}
        // It offers nothing: Escape closes the dialog, not a list that nobody sees.
        dropdownOpened={false}
        error={labels.every((text) => parseLabel(text)) ? undefined : t('Enter each label as key=value')}
      />
    </>
  );
}

/** As the API takes it; null where a label is none. */
export function workerTokenBody(environments: readonly Environment[], labels: readonly string[]) {
  const pairs = labels.map(parseLabel).filter((pair) => pair !== null);
  return pairs.length < labels.length
    ? null
    : { environments: environments.length === 0 ? null : [...environments], labels: Object.fromEntries(pairs) };
}

/** `key=value`; null where it is not. */
function parseLabel(text: string): readonly [string, string] | null {
  const [, key, value] = /^([A-Za-z0-9][A-Za-z0-9._/-]{0,63})=(.{0,256})$/.exec(text) ?? [];
  return key === undefined || value === undefined ? null : [key, value];
}
