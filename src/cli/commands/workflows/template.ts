import type { Command } from 'commander';
import { Fault } from '../../../lib/fault.ts';
import { isOneOf } from '../../../lib/is-one-of.ts';
import {
  CATEGORY_NAMES,
  TEMPLATE_ENTRIES,
  TEMPLATE_IDS,
  type TemplateId,
} from '../../../lib/workflow-templates/catalogue.ts';
import { templateDefinition, TEMPLATES } from '../../../lib/workflow-templates/index.ts';
import { apiCommand } from '../../api-command.ts';
import { option } from '../../options.ts';
import type { ProcessIo } from '../../process-io.ts';
import { table } from '../../text-table.ts';

interface NewFlags {
  template?: string;
  name?: string;
  description?: string;
  project?: string;
}

/** `yardmaster workflow templates`, `yardmaster workflow new`: the templates that the console offers. */
export function templateCommands(group: Command, io: ProcessIo): void {
  apiCommand(group, io, 'templates', 'list what a new workflow can start from', async (session) => {
    const items = TEMPLATE_IDS.map((id) => ({ id, ...TEMPLATE_ENTRIES[id], sample: TEMPLATES[id].sample }));
    session.show({ items }, () =>
      table(
        ['template', 'category', 'name', 'what it does'],
        items.map(({ id, category, name, description }) => [id, CATEGORY_NAMES[category], name, description]),
        'no templates',
      ),
    );
  });

  const create = apiCommand(
    group,
    io,
    'new <id>',
    'create a workflow from a template, with its test cases',
    async (session, { template, name, description, project }: NewFlags, id) => {
      const from = known(template);
      const title = name ?? TEMPLATE_ENTRIES[from].name;
      await session.api.call('workflows.create', {
        body: {
          id,
          name: title,
          description: description ?? TEMPLATE_ENTRIES[from].description,
          ...(project === undefined ? {} : { project }),
        },
      });
      const { sample, tests } = TEMPLATES[from];
      await session.api.call('workflowTests.replace', { params: { id }, body: { cases: [...tests] } });
      const made = await session.api.call('commits.create', {
        params: { id },
        body: {
          definition: templateDefinition(from, title),
          message: `Start from the template ${from}`,
          parent: null,
        },
      });
      session.show(made, () => [
        `saved ${made.hash}`,
        `test it:  yardmaster workflow test ${id}`,
        `publish:  yardmaster workflow publish ${id} dev ${made.hash.slice(0, 12)}`,
        `call it:  echo '${JSON.stringify([sample])}' | yardmaster event send ${id} dev`,
      ]);
    },
  );
  option(create, io, '--template <template>', 'the template: see "workflow templates"');
  option(create, io, '--name <name>', 'display name (default: that of the template)');
  option(create, io, '--description <text>', 'description (default: that of the template)');
  option(create, io, '--project <id>', 'project (default: default)');
}

function known(template: string | undefined): TemplateId {
  if (template !== undefined && isOneOf(TEMPLATE_IDS, template)) return template;
  throw new Fault(
    'USAGE',
    `${template === undefined ? 'specify a template: --template NAME' : `there is no template ${template}`}; templates: ${TEMPLATE_IDS.join(', ')}`,
  );
}
