import type { Filter } from '../../../../lib/logsql/ast.ts';
import { parseFilterText } from '../../../../lib/logsql/parse.ts';
import { printFilter } from '../../../../lib/logsql/print.ts';
import { nameText, valueText } from '../../../../lib/logsql/quote.ts';
import { cutAtPipe, withoutComments } from './edit-query.ts';

/**
 * The same query with its words, phrases and prefixes in any case: `level:error` as `level:i(error)`; null where it has none with letters, or
 * is no valid query. Pipes stay as they are: rows are made only of what the filters found.
 */
export function ignoringCase(query: string): string | null {
  const [filters, pipes] = cutAtPipe(withoutComments(query));
  let filter: Filter;
  try {
    filter = parseFilterText(filters);
  } catch {
    return null;
  }
  const folded = fold(filter);
  return folded === filter ? null : print(folded).trimEnd() + pipes;
}

/** The filter itself where nothing in it has a case. */
function fold(filter: Filter): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const parts = filter.parts.map(fold);
      return parts.every((part, i) => part === filter.parts[i]) ? filter : { ...filter, parts };
    }
    case 'not': {
      const part = fold(filter.part);
      return part === filter.part ? filter : { ...filter, part };
    }
    case 'field': {
      const { field, test } = filter;
      // Fields of the log store itself, such as `_stream_id`, hold no words.
      if (test.kind !== 'phrase' || test.fold || (field.startsWith('_') && field !== '_msg')) return filter;
      return test.text.toLowerCase() === test.text.toUpperCase()
        ? filter
        : { ...filter, test: { ...test, fold: true } };
    }
    default:
      return filter;
  }
}

/** As people write it: without the name of the message, and with quotes only where they must be. */
function print(filter: Filter): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.parts.map(printPart).join(filter.kind === 'and' ? ' AND ' : ' OR ');
    case 'not':
      return `NOT ${printPart(filter.part)}`;
    case 'field': {
      const { field, test } = filter;
      if (test.kind !== 'phrase') return printFilter(filter);
      const text = valueText(test.text) + (test.prefix ? '*' : '');
      return `${field === '_msg' ? '' : `${nameText(field)}:`}${test.fold ? `i(${text})` : text}`;
    }
    default:
      return printFilter(filter);
  }
}

const printPart = (part: Filter): string =>
  part.kind === 'and' || part.kind === 'or' ? `(${print(part)})` : print(part);
