import { fieldInfo, type QueryTerm, type QueryTest } from './fields.ts';

/** A query as text; parsing it gives the same terms. */
export const printJobQuery = (terms: readonly QueryTerm[]): string => terms.map(printTerm).join(' ');

export const printTerm = (term: QueryTerm): string =>
  `${term.not ? '-' : ''}${fieldText(term)}:${term.tests.map((test) => testText(term, test)).join(',')}`;

const fieldText = ({ field, name }: QueryTerm): string => (name === null ? field : `${field}.${name}`);

function testText({ field }: Pick<QueryTerm, 'field'>, test: QueryTest): string {
  switch (test.op) {
    case 'exists':
      return '*';
    case 'is':
      return (fieldInfo(field).kind === 'prose' ? '=' : '') + queryValue(test.value);
    case 'contains':
      return (fieldInfo(field).kind === 'prose' ? '' : '~') + queryValue(test.value);
    case 'range':
      return `${queryValue(test.from)}..${queryValue(test.to)}`;
    case '>':
    case '>=':
    case '<':
    case '<=':
      return test.op + queryValue(test.value);
  }
}

/** A value as it may stand in a query: bare where that is safe, else in quotes. */
export const queryValue = (text: string): string =>
  /^[^\s,"'*=<>~\\][^\s,"\\]*$/u.test(text) && !/^\.|\.\.|\.$/.test(text)
    ? text
    : `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
