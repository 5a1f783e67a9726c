import { IconBan, IconCircleCheck, IconClock, IconHourglass, IconX } from '@tabler/icons-react';
import type { Approval } from '../../../contract/approvals.ts';
import type { ApprovalStatus } from '../../../contract/vocabulary.ts';
import { t, tn } from '../../../lib/language.ts';
import { settingName } from '../../ui/setting-name.ts';
import type { ToneOf } from '../../ui/status.ts';

export const APPROVAL_TONES: Readonly<Record<ApprovalStatus, Pick<ToneOf, 'word' | 'tone' | 'icon'>>> = {
  open: { word: t('Open##approval'), tone: 'run', icon: IconHourglass },
  approved: { word: t('Approved'), tone: 'done', icon: IconCircleCheck },
  rejected: { word: t('Rejected'), tone: 'fail', icon: IconX },
  withdrawn: { word: t('Withdrawn'), tone: 'late', icon: IconBan },
  expired: { word: t('Expired##approval'), tone: 'late', icon: IconClock },
};

/** What a request is for, in one line. */
export function approvalText({ publish, bulk, settings, wait }: Approval): string {
  if (wait) return `${wait.workflowId}: ${wait.title}`;
  if (publish) {
    const { workflowId: workflow, environment, hash } = publish;
    return hash === null
      ? t('Unpublish {workflow} from {environment}', { workflow, environment })
      : t('Publish {short} of {workflow} to {environment}', { short: hash.slice(0, 8), workflow, environment });
  }
  if (settings) return t('Change {names}', { names: Object.keys(settings.changes).map(settingName).join(', ') });
  if (!bulk) return '';
  if (bulk.action === 'kill') return tn('Kill {count} job', 'Kill {count} jobs', bulk.total);
  return bulk.action === 'retry'
    ? tn('Retry {count} job', 'Retry {count} jobs', bulk.total)
    : tn('Rerun {count} job', 'Rerun {count} jobs', bulk.total);
}
