import type { Definition } from '../../../../contract/definition.ts';
import { t } from '../../../../lib/language.ts';
import {
  CATEGORY_NAMES,
  TEMPLATE_CATEGORIES,
  TEMPLATE_ENTRIES,
  TEMPLATE_IDS,
  type TemplateId,
} from '../../../../lib/workflow-templates/catalogue.ts';
import { starterDefinition } from '../definition/starter.ts';

/** What a new workflow starts with: a template, the small example, or nothing. */
export type StartId = TemplateId | 'example' | 'empty';

export interface Start {
  readonly id: StartId;
  readonly name: string;
  readonly description: string;
  /** Null: its graph is loaded with the templates. */
  readonly graph: Pick<Definition, 'nodes' | 'edges'> | null;
}
export interface StartGroup {
  readonly name: string;
  readonly starts: readonly Start[];
}

const BLANK: readonly Start[] = [
  {
    id: 'example',
    name: t('Small example'),
    description: t('Input, transform and output; ready to run'),
    graph: starterDefinition('') as unknown as Definition,
  },
  { id: 'empty', name: t('Blank workflow'), description: t('No nodes'), graph: { nodes: [], edges: [] } },
];

const GROUPS: readonly StartGroup[] = [
  { name: t('From scratch'), starts: BLANK },
  ...TEMPLATE_CATEGORIES.map((category) => ({
    name: CATEGORY_NAMES[category],
    starts: TEMPLATE_IDS.filter((id) => TEMPLATE_ENTRIES[id].category === category).map((id) => ({
      id,
      name: TEMPLATE_ENTRIES[id].name,
      description: TEMPLATE_ENTRIES[id].description,
      graph: null,
    })),
  })),
];

/** Those whose name, description or category has every word that was typed. */
export function findStarts(typed: string): StartGroup[] {
  const words = typed.toLowerCase().split(/\s+/);
  return GROUPS.flatMap((group) => {
    const starts = group.starts.filter(({ name, description }) => {
      const text = `${group.name} ${name} ${description}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    return starts.length === 0 ? [] : [{ ...group, starts }];
  });
}
