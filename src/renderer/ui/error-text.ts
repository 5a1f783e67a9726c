import { t } from '../../lib/language.ts';

/** Words that details begin with. Others may be names (of a workflow, a person, a host, an option), which are not spelled in another way. */
const OPENERS =
  /^(?:a|active|alert|an|another|approval|archived|ask|backtest|bucket|cannot|choose|commit|confirm|could|dashboard|data|draft|encryption|expected|failure|give|handlers|job|masters|much|never|no|nobody|not|only|open|operation|other|project|report|role|route|rule|schedule|secrets?|send|session|several|sign|silence|somebody|specify|task|the|there|this|token|too|took|updates|version|webhook|what|with|worker|workflow|you|your) /;

/** A detail as a sentence that stands alone: in the API, and in a line of the log, it follows a code and begins small. */
export const asSentence = (detail: string): string =>
  OPENERS.test(detail) ? detail.charAt(0).toUpperCase() + detail.slice(1) : detail;

/** What the kit shows of a failure; `ApiError` has this shape, other errors have only a message. */
export interface DescribedError {
  title: string;
  detail: string;
  code: string | null;
  status: number | null;
  requestId: string | null;
  request: string | null;
  errors: readonly { pointer: string; message: string }[];
}

export function describeError(error: unknown): DescribedError {
  const it = (error ?? {}) as Partial<DescribedError> & { message?: string };
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  return {
    // The titles that go with the codes are in the catalogue; a title of a newer master stays as it is.
    title: t(text(it.title) ?? 'Something went wrong'),
    detail: asSentence(text(it.detail) ?? text(it.message) ?? (typeof error === 'string' ? error : '')),
    code: text(it.code),
    status: typeof it.status === 'number' && it.status > 0 ? it.status : null,
    requestId: text(it.requestId),
    request: text(it.request),
    errors: Array.isArray(it.errors) ? it.errors : [],
  };
}

/** Faults that the detail does not name itself: of a single one it does. */
export const furtherFaults = ({
  detail,
  errors,
}: Pick<DescribedError, 'detail' | 'errors'>): DescribedError['errors'] =>
  errors.length === 1 && detail.includes(errors[0]?.message ?? '') ? [] : errors;

/** True where a part of the console itself, which is loaded when it is first needed, did not come. Each browser has words of its own. */
export const isPartMissing = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|importing a module script failed|unable to preload css/i.test(error.message);

/** True where the viewer's role is too low. */
export const isForbidden = (failure: DescribedError): boolean => failure.code === 'FORBIDDEN';

/** All of it for a bug report, one fact a line, its names in English as in the master's log. */
export function detailsText(what: string, error: unknown, at: Date): string {
  const f = describeError(error);
  const lines = [
    `${what}: ${f.title}`,
    f.detail,
    f.code && `code: ${f.code}`,
    f.status && `status: ${f.status}`,
    f.request && `request: ${f.request}`,
    f.requestId && `request id: ${f.requestId}`,
    `at: ${at.toISOString()}`,
  ];
  const stack = error instanceof Error && f.status === null ? error.stack : null;
  return [...lines, ...f.errors.map((e) => `${e.pointer}: ${e.message}`), stack].filter(Boolean).join('\n');
}
