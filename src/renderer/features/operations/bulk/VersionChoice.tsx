import { Radio, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { BulkDryRun } from '../../../../contract/operations.ts';
import { t, tn } from '../../../../lib/language.ts';
import { countAlreadyRerun, countNewerVersions } from './versions.ts';

export type BulkMethod = 'retry' | 'rerun';

/** The two ways out of a failure, and what tells them apart: which version runs, and whether the job goes on or a new one begins. */
export function VersionChoice({
  way,
  rerun,
  onChange,
}: {
  way: BulkMethod;
  /** What a rerun on the published version would do; undefined: not known yet. */ rerun: BulkDryRun | undefined;
  onChange(way: BulkMethod): void;
}): ReactNode {
  return (
    <Radio.Group label={t('Run on')} value={way} onChange={(next) => onChange(next)}>
      <Stack gap={8} mt={6}>
        <Radio
          value="rerun"
          label={t('Currently published version')}
          description={`${t('Creates new jobs with the same inputs.')} ${rerun === undefined ? '' : publishedWords(rerun)}`}
        />
        <Radio
          value="retry"
          label={t('Original version')}
          description={`${t('Continues the same jobs: only failed tasks run again.')} ${rerun === undefined ? '' : rerunLabel(countAlreadyRerun(rerun))}`}
        />
      </Stack>
    </Radio.Group>
  );
}

const rerunLabel = (again: number): string =>
  again === 0
    ? ''
    : tn(
        '{count} of them was already rerun as a new job: its work would be repeated.',
        '{count} of them were already rerun as new jobs: their work would be repeated.',
        again,
      );

function publishedWords(rerun: BulkDryRun): string {
  if (rerun.eligible === 0) return t('None of them can be rerun this way.');
  const newer = countNewerVersions(rerun);
  if (newer === 0) return t('They failed on this version: publish the fix first.');
  return newer === rerun.eligible
    ? t('They failed on another version.')
    : tn('{count} of them failed on another version.', '{count} of them failed on another version.', newer);
}
