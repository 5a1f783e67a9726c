import { DEFAULT_DIALECT, type Annotation, type Dialect } from '../flux/csv.ts';
import { invalid } from './answer.ts';

const ANNOTATIONS = new Set<unknown>(['datatype', 'group', 'default']);

/** How the caller wants its CSV. Throws what cannot be written. */
export function dialectOf(given: unknown): Dialect {
  if (given === undefined || given === null) return DEFAULT_DIALECT;
  if (typeof given !== 'object') throw invalid('dialect: expected an object');
  const {
    header = true,
    delimiter = ',',
    quoteChar = '"',
    commentPrefix = '#',
    annotations = [],
    dateTimeFormat = 'RFC3339',
  } = given as Record<string, unknown>;
  if (typeof header !== 'boolean') throw invalid('dialect.header: expected true or false');
  if (typeof delimiter !== 'string' || (delimiter !== '' && !/^[^"\r\n\uFFFD]$/u.test(delimiter)))
    throw invalid('dialect.delimiter: expected one character, and no quote or line end');
  if (quoteChar !== '"' && quoteChar !== '') throw invalid('dialect.quoteChar: only " is supported');
  if (typeof commentPrefix !== 'string' || commentPrefix.length > 1)
    throw invalid('dialect.commentPrefix: expected at most one character');
  if (!Array.isArray(annotations) && annotations !== null) throw invalid('dialect.annotations: expected an array');
  for (const one of annotations ?? [])
    if (!ANNOTATIONS.has(one))
      throw invalid(
        `dialect.annotations: expected group, datatype or default, got ${JSON.stringify(one)?.slice(0, 50)}`,
      );
  if (dateTimeFormat !== 'RFC3339' && dateTimeFormat !== 'RFC3339Nano' && dateTimeFormat !== '')
    throw invalid('dialect.dateTimeFormat: expected RFC3339 or RFC3339Nano');
  return {
    header,
    delimiter: delimiter || ',',
    commentPrefix: commentPrefix || '#',
    // Each was looked at above.
    annotations: [...new Set(annotations ?? [])] as Annotation[],
  };
}
