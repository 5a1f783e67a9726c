import type { Filter, Query } from '../../../lib/logsql/ast.ts';
import { parseFilterText, parseQuery } from '../../../lib/logsql/parse.ts';
import { PROGRAM_SIZE, programSize } from '../../../lib/regex-size.ts';
import { parsePlain } from './regex/parse.ts';
import { regexFault } from './regex/regex.ts';

/** Size of all expressions of a query together: each takes its time to be built. */
const TOTAL_SIZE = 20_000;

/** Judges the expressions of one query. */
function judge(): (pattern: string) => string | null {
  let left = TOTAL_SIZE;
  return (pattern) => {
    const size = programSize(pattern);
    if (size <= PROGRAM_SIZE && size > left) return 'the expressions of the query are too long in total';
    left -= size;
    return regexFault(pattern);
  };
}

/**
 * Parses a query and builds its regular expressions, which may take a while: not for the main event loop. Throws
 * QUERY_INVALID with the position of what is wrong.
 */
export const readQuery = (text: string): Query => parseQuery(text, judge());

/** The same for a filter without pipes. */
export const readFilter = (text: string): Filter => parseFilterText(text, judge());

/** An expression of this size is built in a moment. */
const QUICK_SIZE = 100;

/** The same without building large expressions: for the main event loop, to refuse at once what is plainly wrong. */
export const parseCheaply = (text: string): Query =>
  parseQuery(text, (pattern) =>
    parsePlain(pattern) === null && (programSize(pattern) <= QUICK_SIZE || programSize(pattern) > PROGRAM_SIZE)
      ? regexFault(pattern)
      : null,
  );
