import type { Definition } from '../../contract/definition.ts';
import type { TestCase } from '../../contract/workflow-tests.ts';
import type { TemplateId } from './catalogue.ts';
import { DATA } from './data.ts';
import { INTEGRATIONS } from './integrations.ts';
import { PEOPLE } from './people.ts';

/** A workflow to start from: it runs with its sample as it is, and its test cases pass. */
export interface Template {
  /** One input. */
  readonly sample: Readonly<Record<string, unknown>>;
  readonly tests: readonly TestCase[];
  readonly definition: Omit<Definition, 'schemaVersion' | 'name'>;
}

export const TEMPLATES: Readonly<Record<TemplateId, Template>> = { ...INTEGRATIONS, ...DATA, ...PEOPLE };

/** The definition of a workflow of this name. */
export const templateDefinition = (id: TemplateId, name: string): Definition => ({
  schemaVersion: 1,
  name,
  ...TEMPLATES[id].definition,
});
