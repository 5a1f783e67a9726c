import { TEMPLATE_IDS } from '../../../../lib/workflow-templates/catalogue.ts';
import { isOneOf } from '../../../../lib/is-one-of.ts';
import { t } from '../../../../lib/language.ts';
import { changeTestCases } from '../../../api/workflow-tests.ts';
import { createWorkflow } from '../../../api/workflows.ts';
import { formatDefinition } from '../../../ui/json-text/format.ts';
import { toastFailure } from '../../../ui/toasts.tsx';
import { emptyText, starterText } from '../definition/starter.ts';
import { createDrafts } from '../draft/drafts.ts';
import { createSamples } from '../draft-run/samples.ts';
import type { StartId } from './starts.ts';

/** Creates a workflow and leaves what it starts with as a draft in this browser; of a template also its sample input and its test cases. */
export async function createFrom(start: StartId, body: Parameters<typeof createWorkflow>[0]): Promise<void> {
  // Loaded first: a workflow without its draft would be of no use.
  const templates = isOneOf(TEMPLATE_IDS, start) ? await import('../../../../lib/workflow-templates/index.ts') : null;
  const { id, name } = await createWorkflow(body);
  const text =
    templates !== null && isOneOf(TEMPLATE_IDS, start)
      ? formatDefinition(JSON.stringify(templates.templateDefinition(start, name)))
      : start === 'empty'
        ? emptyText(name)
        : starterText(name);
  createDrafts(window.localStorage).save(id, { text, parent: null, at: Date.now() });
  if (templates === null || !isOneOf(TEMPLATE_IDS, start)) return;
  const { sample, tests } = templates.TEMPLATES[start];
  createSamples(window.localStorage).save(id, `${JSON.stringify(sample, null, 2)}\n`);
  // The workflow is there and works without them.
  await changeTestCases(id, () => tests).catch(toastFailure(t('Could not save the test cases of the template')));
}
