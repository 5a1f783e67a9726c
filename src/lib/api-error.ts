import type { ReceivedProblem } from '../contract/errors.ts';
import { Fault } from './fault.ts';
import { t } from './language.ts';

/**
 * A call of the API that did not succeed. `status` 0: no answer came. `code` is UNKNOWN where the answer was no problem
 * document: a proxy's page, say.
 */
export class ApiError extends Fault {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  declare readonly errors: { pointer: string; message: string }[];
  readonly requestId: string | null;
  /** `METHOD /path` of what was asked. */
  readonly request: string;
  /** All members of the problem document, for those that a code adds (`head`, `current`, `position`, …). */
  readonly problem: Readonly<Record<string, unknown>>;

  constructor(request: string, status: number, problem: ReceivedProblem, requestId: string | null) {
    const { code = 'UNKNOWN', detail, errors = [], ...extra } = problem;
    super(code, detail ?? problem.title ?? t('The master responded with {status}', { status }), { extra, errors });
    this.request = request;
    this.status = status;
    this.title = problem.title ?? t('The request failed');
    this.detail = detail ?? '';
    this.requestId = requestId;
    this.problem = problem;
  }
}

/** What an answer that is no success says. `request`: the call, for people. */
export async function errorFrom(request: string, response: Response): Promise<ApiError> {
  const problem = problemIn(await response.text()) ?? {
    title: `${response.status} ${response.statusText}`.trim(),
    detail: t('The response is not a problem document: a proxy between the console and the master may have sent it.'),
  };
  return new ApiError(request, response.status, problem, response.headers.get('x-request-id'));
}

function problemIn(text: string): ReceivedProblem | null {
  try {
    const value: unknown = JSON.parse(text);
    return isProblem(value) ? value : null;
  } catch {
    return null;
  }
}

const isProblem = (value: unknown): value is ReceivedProblem => value !== null && typeof value === 'object';
