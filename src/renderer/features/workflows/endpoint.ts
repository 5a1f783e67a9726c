import { pathTo } from '../../../lib/api-client.ts';
import type { Environment } from '../../../contract/vocabulary.ts';
import type { Workflow } from '../../../contract/workflows.ts';

/** Where a call by hand goes unless its author says so: the first environment that answers, never prod by itself. */
export const environmentToTry = ({ environments }: Pick<Workflow, 'environments'>): Environment =>
  environments.find(({ environment, hash }) => hash !== null && environment !== 'prod')?.environment ?? 'dev';

/** Path of the endpoint that an environment answers on. */
export const endpointPath = (workflowId: string, environment: Environment): string =>
  pathTo('events.send', { params: { workflowId, environment } });
