import { afterAll, beforeAll, expect, test } from 'vitest';
import { setLanguage } from '../../src/lib/language.ts';
import { translatedAlert, ruleLabel } from '../../src/renderer/api/alert-labels.ts';
import {
  translatedDefinition,
  translatedSummary,
} from '../../src/renderer/features/dashboards/panels/built-in-labels.ts';
import { BUILT_IN_RULES } from '../../src/server/alerts/built-in.ts';
import { expandTemplate } from '../../src/server/alerts/template.ts';
import { BUILT_IN } from '../../src/server/dashboards/dashboards.ts';

/** A language that says every text of the catalogue in its own way: what comes back unmarked went round it. */
const marked = new Proxy<Record<string, string>>({}, { get: (_, text) => `«${String(text)}»` });
beforeAll(() => setLanguage('de', marked));
afterAll(() => setLanguage('en', {}));

test('every dashboard that is built in has its words in the catalogue of the console, as the master says them', () => {
  for (const [id, definition] of BUILT_IN) {
    const shown = translatedDefinition({ id, builtIn: true, definition });
    expect([shown.title, shown.description]).toEqual([`«${definition.title}»`, `«${definition.description}»`]);
    expect(shown.panels.map(({ id: panel, title, description }) => [panel, title, description])).toEqual(
      definition.panels.map(({ id: panel, title, description }) => [
        panel,
        `«${title}»`,
        description && `«${description}»`,
      ]),
    );
    expect(shown.variables.map(({ label }) => label)).toEqual(definition.variables.map(({ label }) => `«${label}»`));
    const legends = (of: typeof definition) =>
      of.panels.flatMap(({ queries }) =>
        queries.flatMap((query) => (query.source === 'metrics' ? [query.legend] : [])),
      );
    // What has no word in it, or stands for a tag or a state of tasks, is the same in every language.
    const said = (legend: string | undefined) =>
      legend === undefined || /^\{\{|^[A-Z_]+$|^p\d+$/.test(legend) ? legend : `«${legend}»`;
    expect(legends(shown)).toEqual(legends(definition).map(said));
    // What is drawn is all that changes.
    expect(shown.panels.map(({ kind, grid, unit }) => ({ kind, grid, unit }))).toEqual(
      definition.panels.map(({ kind, grid, unit }) => ({ kind, grid, unit })),
    );
    expect(
      translatedSummary({
        id,
        title: definition.title,
        description: definition.description,
        builtIn: true,
        panels: 1,
        version: null,
        updatedAt: null,
        updatedBy: null,
      }),
    ).toMatchObject({ title: `«${definition.title}»` });
  }
});

test('a dashboard of somebody keeps the words that it was given, whatever its id', () => {
  const definition = { ...[...BUILT_IN.values()][0]!, title: 'Mine' };
  expect(translatedDefinition({ id: 'cluster-overview', builtIn: false, definition })).toBe(definition);
});

const scope = {
  value: 0.25,
  labels: { url: 'http://10.0.0.7:9000/a?b=(c)', workflow_id: 'orders (old)', environment: 'prod' },
};

test('every rule that is built in has its words in the catalogue, with the values of the alert', () => {
  for (const [ruleId, { name, annotations }] of Object.entries(BUILT_IN_RULES)) {
    const filled = Object.fromEntries(
      Object.entries(annotations).map(([key, text]) => [key, expandTemplate(text, scope)]),
    );
    const shown = translatedAlert({ ruleId, ruleName: name, annotations: filled });
    expect([shown.ruleName, ruleLabel(ruleId, name)]).toEqual([`«${name}»`, `«${name}»`]);
    for (const text of Object.values(shown.annotations)) expect(text).toMatch(/^«.*»$/);
  }
  const alert = {
    ruleId: 'built-in-worker-down',
    ruleName: 'Worker down',
    annotations: {
      summary: expandTemplate(BUILT_IN_RULES['built-in-worker-down']?.annotations['summary'] ?? '', scope),
    },
  };
  expect(translatedAlert(alert).annotations['summary']).toBe('«Worker http://10.0.0.7:9000/a?b=(c) is not responding»');
});

test('what somebody wrote into such a rule stays as it is', () => {
  const alert = {
    ruleId: 'built-in-worker-down',
    ruleName: 'Machine gone',
    annotations: { summary: 'Call Ada', runbook: 'https://wiki.example.com' },
  };
  expect(translatedAlert(alert)).toEqual(alert);
  expect(ruleLabel('abc', 'Worker down')).toBe('Worker down');
});
