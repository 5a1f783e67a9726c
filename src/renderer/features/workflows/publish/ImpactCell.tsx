import { IconArrowDownRight, IconArrowUpRight, IconEqual, IconQuestionMark } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Impact } from '../../../../contract/workflows.ts';
import { t } from '../../../../lib/language.ts';
import { ToneBadge } from '../../../ui/Badges.tsx';

const LOOKS = {
  worse: { tone: 'fail', icon: IconArrowDownRight, word: t('Worse') },
  better: { tone: 'done', icon: IconArrowUpRight, word: t('Better') },
  same: { tone: 'empty', icon: IconEqual, word: t('Same') },
  unclear: { tone: 'empty', icon: IconQuestionMark, word: t('Not enough data') },
} as const;

/** What a publication did to the jobs, and the way to those that failed after it. */
export function ImpactCell({ workflowId, impact }: { workflowId: string; impact: Impact | undefined }): ReactNode {
  if (!impact) return null;
  const { tone, icon, word } = LOOKS[impact.verdict];
  const { environment } = impact.publication;
  const { failed, from, to } = impact.after;
  return (
    <span className="two-rows" title={impact.message}>
      <ToneBadge tone={tone} icon={icon}>
        {word}
      </ToneBadge>
      {failed > 0 && (
        <Link
          to="/jobs"
          search={{
            workflow: workflowId,
            environment,
            status: ['FAILED', 'PARTIAL_FAILURE', 'TIMEOUT', 'MIXED'],
            from,
            to,
          }}
          title={t('Failed jobs since then: {failed}', { failed })}
        >
          {t('{failed} failed', { failed })}
        </Link>
      )}
      <span className="visually-hidden">{impact.message}</span>
    </span>
  );
}
