import { LIMITS } from '../../../../contract/limits.ts';
import { t } from '../../../../lib/language.ts';
import { BundleFault } from '../../../api/incident/read.ts';
import { formatBytes, formatCount } from '../../../ui/Duration.tsx';

/** What is wrong with a file, and what to do. */
export function faultText(fault: unknown): { title: string; detail: string } {
  if (!(fault instanceof BundleFault)) return { title: t('The file could not be opened'), detail: String(fault) };
  switch (fault.trouble) {
    case 'not-a-bundle':
      return {
        title: t('This is no incident bundle'),
        detail: t(
          'A bundle is made on the page of a job (“Bundle…”) or with yardmaster jobs bundle, and its name ends in .yardmaster-incident.',
        ),
      };
    case 'cut':
      return {
        title: t('The file is cut short'),
        detail: t('Its end is missing: the download or the copy was interrupted. Get it again from where it came.'),
      };
    case 'damaged':
      return {
        title: t('The file is damaged'),
        detail: t(
          'It began well, and something in it is not as it was written. Get it again from where it came. ({detail})',
          { detail: fault.detail.slice(0, 200) },
        ),
      };
    case 'newer':
      return {
        title: t('The bundle is of a newer kind'),
        detail: t(
          'It was made by Yardmaster {version}, whose bundles this version cannot read. Open it in that version or a later one.',
          { version: fault.detail },
        ),
      };
    case 'too-large':
      return {
        title: t('The bundle is too large to open here'),
        detail: t(
          'Unpacked it has more than {bytes}. Look inside with tar xzf, or take a bundle without inputs and outputs.',
          { bytes: formatBytes(LIMITS.incidentBytes) },
        ),
      };
    case 'too-many-parts':
      return {
        title: t('The bundle has too many parts to open here'),
        detail: t('More than {count}: no bundle of Yardmaster has so many. Look inside with tar xzf.', {
          count: formatCount(LIMITS.incidentParts),
        }),
      };
  }
}
