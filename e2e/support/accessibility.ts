import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const LEVEL_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

export interface Violation {
  id: string;
  impact: string;
  help: string;
  /** What has it, five at most. */
  html: string[];
}

/** What breaks WCAG 2.2 AA in the page, or within a selector; `colours`: only their contrast, as it may differ between themes. */
export async function violationsOf(
  page: Page,
  { within, colours = false }: { within?: string; colours?: boolean } = {},
): Promise<Violation[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE);
  const options: RunOptions = {
    resultTypes: ['violations'],
    selectors: false,
    runOnly: colours ? { type: 'rule', values: ['color-contrast'] } : { type: 'tag', values: LEVEL_AA },
  };
  return page.evaluate(
    async ([selector, how]) => {
      const axe = Reflect.get(globalThis, 'axe') as {
        run(context: Node | string, options: RunOptions): Promise<AxeResults>;
      };
      const { violations } = await axe.run(selector ?? document, how);
      return violations.map(({ id, impact, help, nodes }) => ({
        id,
        impact: impact ?? '',
        help,
        html: nodes.map(({ html }) => html).slice(0, 5),
      }));
    },
    [within, options] as const,
  );
}
