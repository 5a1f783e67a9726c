import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Definition } from '../../../../contract/definition.ts';
import type { Environment } from '../../../../contract/vocabulary.ts';
import type { Workflow } from '../../../../contract/workflows.ts';
import { parseJson } from '../../../../lib/json.ts';
import { t } from '../../../../lib/language.ts';
import { ApiError } from '../../../../lib/api-error.ts';
import { createCommit, workflowKeys } from '../../../api/workflows.ts';
import { toastSuccess } from '../../../ui/toasts.tsx';
import type { EditorSession } from '../draft/session.ts';
import { savedMessage } from '../publish/rules.ts';
import { versionName } from '../version-name.ts';

/** The failed task that is debugged, and where its job ran. */
export interface Debugged {
  readonly taskId: string;
  readonly environment: Environment | null;
}

/**
 * Saves the draft as a version: the dialog that asks for its message, and what happens where another version was saved meanwhile.
 * It is offered for publishing to dev, or where the job ran that is debugged.
 */
export function useSaveVersion(workflow: Workflow, session: EditorSession, debugged: Debugged | null) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [saving, setSaving] = useState(false);
  /** The version that was saved here last. */
  const [saved, setSaved] = useState<string | null>(null);
  /** The newer head that stands in the way; with the message of the version that was to be saved. */
  const [stale, setStale] = useState<{ head: string; message: string | null } | null>(null);

  const save = async (message: string, after: string | null) => {
    const sent = session.store.getState().text;
    try {
      const commit = await createCommit(workflow.id, {
        definition: parseJson<Definition>(sent),
        message,
        parent: after,
      });
      client.setQueryData(workflowKeys.commit(workflow.id, commit.hash), commit);
      client.setQueryData<Workflow>(workflowKeys.one(workflow.id), (now) =>
        now ? { ...now, head: commit.hash } : now,
      );
      session.saved(sent, commit.hash);
      setSaving(false);
      setStale(null);
      setSaved(commit.valid ? commit.hash : null);
      const name = t('Saved version {value}', { value: versionName(commit) });
      if (commit.valid)
        toastSuccess(name, t('Ready to publish.'), {
          label: t('Publish…'),
          about: savedMessage(workflow.id),
          run: () =>
            void navigate({
              to: '/workflows/$workflowId',
              params: { workflowId: workflow.id },
              search: {
                tab: 'publish',
                environment: debugged?.environment ?? 'dev',
                version: commit.hash,
                ...(debugged === null ? {} : { debug: debugged.taskId }),
              },
            }),
        });
      else toastSuccess(name, t("It has validation errors and can't be published yet."));
      void client.invalidateQueries({ queryKey: workflowKeys.all });
    } catch (error) {
      const newer = error instanceof ApiError && error.code === 'STALE_PARENT' ? error.problem['head'] : null;
      if (typeof newer !== 'string') throw error;
      setSaving(false);
      setStale({ head: newer, message });
      void client.invalidateQueries({ queryKey: workflowKeys.one(workflow.id) });
    }
  };
  return { saving, setSaving, stale, setStale, save, saved };
}
