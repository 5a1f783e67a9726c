import { IconBug } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isDraftId } from '../../../../contract/draft-ids.ts';
import type { Environment } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { useShortcut } from '../../../keyboard/use-shortcut.ts';
import { useRecorded } from '../../../stores/recorded.ts';
import { whyNot } from '../../../stores/permissions.ts';
import { useRights, useWorkflowPlace } from '../../../stores/role.ts';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';

/** Opens the version that a task failed on in the builder, with the recorded input and results. Nothing in an incident bundle, and for drafts. */
export function DebugButton({
  workflowId,
  environment,
  taskId,
  node,
  size = 'sm',
  hasKey = true,
}: {
  workflowId: string;
  environment: Environment | null;
  taskId: string;
  node: string;
  size?: 'sm' | 'compact-sm';
  /** Whether its key and its command are offered. */
  hasKey?: boolean;
}): ReactNode {
  const navigate = useNavigate();
  const rights = useRights();
  const place = useWorkflowPlace(workflowId, environment);
  const recorded = useRecorded();
  const reason = whyNot(rights, 'payload.read', place);
  const isOff = recorded || isDraftId(workflowId);
  const open = () =>
    void navigate({ to: '/workflows/$workflowId', params: { workflowId }, search: { debug: taskId, node } });
  useShortcut('d', t('Debug in builder'), hasKey && !isOff && reason === null ? open : null);
  if (isOff) return null;
  return (
    <ReasonButton
      variant="default"
      {...(size === 'sm' ? {} : { size })}
      leftSection={<IconBug size={15} aria-hidden />}
      reason={reason}
      hint={t('Opens the version that failed, with the input and the results of this run')}
      onClick={open}
    >
      {t('Debug in builder')}
    </ReasonButton>
  );
}
