import {
  IconBug,
  IconGitCommit,
  IconKey,
  IconListCheck,
  IconListDetails,
  IconRocket,
  IconRoute,
  IconServer2,
  IconShieldLock,
  IconSubtask,
  type TablerIcon,
} from '@tabler/icons-react';
import type { FoundKind } from '../../../contract/vocabulary.ts';
import { t } from '../../../lib/language.ts';

/** How each kind of found thing is shown. */
export const FOUND_KINDS: Readonly<Record<FoundKind, { icon: TablerIcon; word(): string }>> = {
  job: { icon: IconListDetails, word: () => t('Job') },
  task: { icon: IconSubtask, word: () => t('Task') },
  operation: { icon: IconListCheck, word: () => t('Operation') },
  worker: { icon: IconServer2, word: () => t('Worker') },
  commit: { icon: IconGitCommit, word: () => t('Version') },
  publication: { icon: IconRocket, word: () => t('Publication') },
  workflow: { icon: IconRoute, word: () => t('Workflow') },
  failure: { icon: IconBug, word: () => t('Failure') },
  key: { icon: IconKey, word: () => t('API key') },
  token: { icon: IconShieldLock, word: () => t('Token') },
};
