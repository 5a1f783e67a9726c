import { expect, it } from 'vitest';
import { suggestQuery, type KnownValues } from './suggest-query.ts';

const known: KnownValues = {
  values: new Map([['workflow', ['orders', 'refunds', 'reorder it']]]),
  paths: new Map([
    ['customer.country', ['DE', 'FR']],
    ['amount', ['5']],
  ]),
  labels: new Map([['team', ['pay', 'ops team']]]),
};
/** The line with each of the suggestions taken, at the bar. */
function taken(line: string): string[] {
  const caret = line.indexOf('|');
  const text = line.replace('|', '');
  return suggestQuery(text, caret, known).map(({ from, to, insert }) => text.slice(0, from) + insert + text.slice(to));
}

it.each([
  ['st|', ['status:']],
  ['-wor|', ['-workflow:', '-worker:']],
  ['status:fa|', ['status:failed ', 'status:partial_failure ']],
  ['status:failed,tim|', ['status:failed,timeout ']],
  ['workflow:ord|', ['workflow:orders ', 'workflow:"reorder it" ']],
  ['workflow:"reo|', ['workflow:"reorder it" ']],
  ['error:x inp|', ['error:x input.', 'error:x inputs:']],
  ['input.cou|', ['input.customer.country:']],
  ['input.customer.country:d|', ['input.customer.country:DE ']],
  ['input.customer.country:~f|', ['input.customer.country:~FR ']],
  ['label.team:o|', ['label.team:"ops team" ']],
  [
    'duration:|',
    ['duration:>1s ', 'duration:>5s ', 'duration:>1m ', 'duration:<1s ', 'duration:1s..1m ', 'duration:* '],
  ],
  ['duration:>|', []],
  ['externalId:|', ['externalId:* ', 'externalId:~']],
  ['sta|tus:failed', []],
  ['colour:|', []],
  ['error:"timed |', []],
])('%s', (line, wanted) => {
  expect(taken(line)).toEqual(wanted);
});

it('offers every field where nothing is typed', () => {
  expect(taken('|')).toHaveLength(12);
  expect(taken('status:failed |')[0]).toBe('status:failed status:');
});
