/** What an error says. Anything can be thrown: what is no error is said as text. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The code of a `Fault`, or of an error of Node's or SQLite's. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
