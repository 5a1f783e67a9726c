import { TEMPLATE_IDS, type TemplateId } from '../../../lib/workflow-templates/catalogue.ts';
import { pageIn, sizeIn, textIn, keyed } from '../../ui/search-params.ts';

/** View state of the list of workflows. */
export interface WorkflowsSearch {
  page?: number;
  size?: number;
  sort?: string;
  q?: string;
  /** ID of a project. */
  project?: string;
  /** Also those that were archived. */
  archived?: boolean;
  /** The form for a new one is open. */
  create?: boolean;
  /** What it starts with. */
  template?: TemplateId;
}

const flag = <K extends string>(input: Record<string, unknown>, key: K): { [P in K]?: boolean } =>
  keyed(key, input[key] === true || input[key] === 'true' || undefined);

export function parseWorkflowsSearch(input: Record<string, unknown>): WorkflowsSearch {
  return {
    ...pageIn(input),
    ...sizeIn(input),
    ...textIn(input, 'sort'),
    ...textIn(input, 'q'),
    ...textIn(input, 'project'),
    ...flag(input, 'archived'),
    ...flag(input, 'create'),
    ...keyed(
      'template',
      TEMPLATE_IDS.find((id) => id === input['template']),
    ),
  };
}
