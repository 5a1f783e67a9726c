import { expect, it } from 'vitest';
import { emptyDashboard, newPanel } from './layout.ts';
import { readDefinition, refusedMarks, sameDefinition, textOfDefinition } from './json-text.ts';

const good = {
  ...emptyDashboard('Mine'),
  panels: [
    newPanel([]),
    { ...newPanel([]), id: 'log', kind: 'logs' as const, queries: [{ source: 'logs' as const, query: '*' }] },
  ],
};
const text = textOfDefinition(good);
const marked = (of: string) => readDefinition(of).marks.map(({ from, to, message }) => [of.slice(from, to), message]);

it('takes what it wrote', () => expect(readDefinition(text)).toEqual({ definition: good, marks: [] }));
it('marks text that is no JSON', () =>
  expect(readDefinition('{"title": }')).toMatchObject({ definition: null, marks: [{ severity: 'error' }] }));
it('marks a word that does not exist where it stands', () => {
  const bad = text.replace('"timeseries"', '"sankey"');
  expect(readDefinition(bad).definition).toBeNull();
  expect(marked(bad)).toEqual([['"sankey"', expect.stringContaining('"heatmap"')]]);
});
it('judges a query by its source', () =>
  expect(marked(text.replace('"query": "*"', '"measurement": "x"'))).toEqual([
    [expect.anything(), '“query” is missing.'],
    ['"x"', expect.stringContaining('expected source, query, field')],
  ]));
it('shows what the master refused at its place', () =>
  expect(
    refusedMarks(text, [{ pointer: '/definition/panels/0/grid/w', message: 'must end within 24 columns' }]).map(
      ({ from, to, message }) => [text.slice(from, to), message],
    ),
  ).toEqual([['12', 'Must end within 24 columns']]));

it('definitions are the same in whatever order their keys stand, and lists are not', () => {
  const { panels, title, ...rest } = good;
  expect(sameDefinition(good, { panels: panels.map(({ id, ...panel }) => ({ ...panel, id })), title, ...rest })).toBe(
    true,
  );
  expect(sameDefinition(good, { ...good, panels: panels.toReversed() })).toBe(false);
  expect(sameDefinition(good, { ...good, title: 'Yours' })).toBe(false);
});
