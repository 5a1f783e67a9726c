import { quoteText } from './quote.ts';

/**
 * LogsQL filters to be joined to a query for who may read the lines of some workflows alone (null: of all): those that
 * name one of them.
 */
export const filtersWithin = (within: readonly string[] | null | undefined): string[] =>
  within ? [`workflow_id:in(${within.map(quoteText).join(',')})`] : [];
