import { t } from '../../lib/language.ts';
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
    detail: text(it.detail) ?? text(it.message) ?? (typeof error === 'string' ? error : ''),
    code: text(it.code),
    status: typeof it.status === 'number' && it.status > 0 ? it.status : null,
    requestId: text(it.requestId),
    request: text(it.request),
    errors: Array.isArray(it.errors) ? it.errors : [],
  };
}

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
