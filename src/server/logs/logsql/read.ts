import type { Filter, Query } from '../../../lib/logsql/ast.ts';
import { parseFilterText, parseQuery } from '../../../lib/logsql/parse.ts';
import { regexFault } from './regex.ts';

/** Parses a query with its regular expressions. Throws QUERY_INVALID with the position of what is wrong. */
export const readQuery = (text: string): Query => parseQuery(text, regexFault);

/** The same for a filter without pipes. */
export const readFilter = (text: string): Filter => parseFilterText(text, regexFault);
