import { isOneOf } from '../../../lib/is-one-of.ts';
import { WORKFLOW_ID, ENVIRONMENTS, type Environment } from '../../../contract/vocabulary.ts';
import { Fault } from '../../../lib/fault.ts';
import type { KeyIdentity } from '../../access/port.ts';
import type { Runnable } from '../../workflows/port.ts';
import { refuseMediaType } from '../core/body.ts';
import { presenterOf, type Origins } from '../core/forwarded.ts';
import type { Services } from '../core/services.ts';

export interface EventPath {
  readonly workflowId: string;
  readonly environment: string;
}

/** What the headers and the path of an event call came to, before its body is read. */
export interface Admission {
  readonly key: KeyIdentity;
  readonly environment: Environment;
  readonly runnable: Runnable;
}

const workflowId = new RegExp(WORKFLOW_ID);
const isEnvironment = (text: string): text is Environment => isOneOf(ENVIRONMENTS, text);

/** Key, environment and scope, in the order of the contract. From memory. Throws the first fault. */
export function admitKey(
  { access, proxies, workflows }: Services,
  path: EventPath,
  request: Origins,
): { key: KeyIdentity; environment: Environment } {
  const secret = request.headers['api-key'];
  if (typeof secret !== 'string' || secret === '')
    throw new Fault('API_KEY_MISSING', 'send the API key in the api-key header');
  const key = access.key(secret);
  if (key === null) {
    access.attempts.wrong(presenterOf(request, proxies), secret);
    throw new Fault('API_KEY_INVALID', 'the API key is unknown, revoked or expired');
  }
  const { environment } = path;
  if (!isEnvironment(environment))
    throw new Fault(
      'ENVIRONMENT_UNKNOWN',
      `expected the environment ${ENVIRONMENTS.join(', ')}, got ${JSON.stringify(environment.slice(0, 100))}`,
    );
  if (!key.reaches(path.workflowId, environment))
    throw new Fault(
      'API_KEY_SCOPE',
      `the scope of API key ${key.name} does not include ${path.workflowId.slice(0, 100)} in ${environment}`,
    );
  // One of another project does not show.
  const project = workflows.projectOf(path.workflowId);
  if (project !== null && project !== key.project) throw unknownWorkflow(path.workflowId);
  return { key, environment };
}

const unknownWorkflow = (id: string): Fault =>
  new Fault(
    'WORKFLOW_NOT_FOUND',
    `workflow ${JSON.stringify(id.slice(0, 100))} not found${workflowId.test(id) ? '' : '; IDs consist of lowercase letters, digits and hyphens'}`,
  );

/** All that is decided of an event call before its body is read. */
export function admitEvent(services: Services, path: EventPath, url: string, request: Origins): Admission {
  const { key, environment } = admitKey(services, path, request);
  const endpoint = services.workflows.endpoint(path.workflowId, environment);
  if (endpoint.found === 'workflow-unknown') throw unknownWorkflow(path.workflowId);
  if (endpoint.found === 'not-published')
    throw new Fault(
      'NOT_PUBLISHED',
      `workflow ${path.workflowId} is not published to ${environment}; publish a version first`,
    );
  const query = url.indexOf('?');
  if (query >= 0 && query < url.length - 1)
    throw new Fault('VALIDATION_FAILED', 'an event call takes no query parameters', {
      errors: [...new URLSearchParams(url.slice(query)).keys()]
        .slice(0, 100)
        .map((name) => ({ pointer: `/${name}`, message: 'is not allowed here' })),
    });
  const refused = refuseMediaType(request.headers);
  if (refused) throw refused;
  return { key, environment, runnable: endpoint.runnable };
}

const MAX_ERRORS = 100;

/** What checks one input. */
export type InputChecker = Pick<Runnable, 'checkInput'>;

/**
 * The inputs of a call: an array of objects, each valid by the workflow's schema (checked with plain numbers). Throws
 * INPUT_INVALID with a pointer for each fault.
 */
export function checkInputs(
  body: unknown,
  plain: unknown,
  runnable: InputChecker,
  { eventInputs, schemaSteps }: { eventInputs: number; schemaSteps: number },
): readonly unknown[] {
  if (!Array.isArray(body))
    throw invalid('the body must be an array of input objects', [{ pointer: '', message: 'must be an array' }]);
  if (body.length === 0)
    throw invalid('the body must contain at least one input object', [{ pointer: '', message: 'must not be empty' }]);
  if (body.length > eventInputs)
    throw invalid(
      `the body contains ${body.length} inputs; the maximum is ${eventInputs}. Split them over several calls`,
      [{ pointer: '', message: `must have at most ${eventInputs} elements` }],
    );
  // A list, as was looked at above.
  const errors = faultsOf(plain as unknown[], runnable, schemaSteps, '');
  if (errors.length > 0)
    throw invalid(
      `${errors.length === 1 ? `the input at ${errors[0]?.pointer}` : 'the inputs'} ${errors.length === 1 ? errors[0]?.message : 'are not valid; see errors'}`,
      errors,
    );
  return body;
}

/** The same for the inputs of a batch job (with plain numbers), which may be none. */
export function checkBatch(
  plain: readonly unknown[],
  runnable: InputChecker,
  { schemaSteps }: { schemaSteps: number },
): void {
  // A batch is one piece of an operator's work, so its budget grows with it.
  const errors = faultsOf(plain, runnable, schemaSteps * Math.max(1, plain.length / 1000), '/inputs');
  if (errors.length > 0) throw invalid('the inputs are not valid; see errors', errors);
}

/** Any JSON values against the schema: the inputs of a draft run. */
export function checkValues(
  plain: readonly unknown[],
  { checkInput }: InputChecker,
  { schemaSteps }: { schemaSteps: number },
): void {
  const budget = { steps: schemaSteps };
  const errors = plain.flatMap((input, i) =>
    (checkInput(input, budget) ?? []).map(({ pointer, message }) => ({ pointer: `/inputs/${i}${pointer}`, message })),
  );
  if (errors.length > 0) throw invalid('the inputs are not valid; see errors', errors.slice(0, MAX_ERRORS));
}

function faultsOf(
  inputs: readonly unknown[],
  runnable: InputChecker,
  steps: number,
  at: string,
): { pointer: string; message: string }[] {
  const errors: { pointer: string; message: string }[] = [];
  const budget = { steps };
  for (let i = 0; i < inputs.length && errors.length < MAX_ERRORS; i++) {
    const input = inputs[i];
    if (input === null || typeof input !== 'object' || Array.isArray(input))
      errors.push({ pointer: `${at}/${i}`, message: 'must be an object' });
    else
      for (const { pointer, message } of runnable.checkInput(input, budget) ?? [])
        errors.push({ pointer: `${at}/${i}${pointer}`, message });
  }
  return errors;
}

const invalid = (detail: string, errors: { pointer: string; message: string }[]) =>
  new Fault('INPUT_INVALID', detail, { errors });
