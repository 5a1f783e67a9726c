import { LIMITS } from '../../../../contract/limits.ts';
import { t } from '../../../../lib/language.ts';
import { BundleFault } from '../../../api/incident/read.ts';
import { formatBytes, formatCount } from '../../../ui/Duration.tsx';

/** What is wrong with a file, and what to do. */
export function faultText(fault: unknown): { title: string; detail: string } {
  if (!(fault instanceof BundleFault)) return { title: t('Could not open the file'), detail: String(fault) };
  switch (fault.trouble) {
    case 'not-a-bundle':
      return {
        title: t('Not an incident bundle'),
        detail: t(
          "Create a bundle on a job's page (“Bundle…”) or with yardmaster jobs bundle. Its file name ends in .yardmaster-incident.",
        ),
      };
    case 'cut':
      return {
        title: t('The file is truncated'),
        detail: t('The download or copy was interrupted. Get the file again.'),
      };
    case 'damaged':
      return {
        title: t('The file is corrupt'),
        detail: t('Part of its content is damaged. Get the file again. ({detail})', {
          detail: fault.detail.slice(0, 200),
        }),
      };
    case 'newer':
      return {
        title: t('Unsupported bundle version'),
        detail: t(
          "It was created by Yardmaster {version} in a format that this version can't read. Open it in that version or newer.",
          { version: fault.detail },
        ),
      };
    case 'too-large':
      return {
        title: t('The bundle is too large to open here'),
        detail: t(
          'Unpacked, it exceeds {bytes}. Extract it with tar xzf, or create a bundle without inputs and outputs.',
          { bytes: formatBytes(LIMITS.incidentBytes) },
        ),
      };
    case 'too-many-parts':
      return {
        title: t('The bundle has too many files to open here'),
        detail: t('It has more than {count}, which Yardmaster never creates. Extract it with tar xzf.', {
          count: formatCount(LIMITS.incidentParts),
        }),
      };
  }
}
