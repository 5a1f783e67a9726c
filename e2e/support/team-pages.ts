import type { Page } from '@playwright/test';
import type { TeamData } from './team-data.ts';

const tabOf = (tab: string) => () => `/settings?tab=${tab}`;

/** Name, path, and what must be there before the page counts as drawn; by what is the same in every language. */
export const TEAM_PAGES: readonly [
  name: string,
  path: (data: TeamData) => string,
  ready: (page: Page) => Promise<unknown>,
][] = [
  ['account', tabOf('account'), (page) => page.getByRole('gridcell', { name: /^script yt_/ }).waitFor()],
  [
    'account-new-token',
    tabOf('account'),
    async (page) => {
      await page.getByRole('button', { name: /^(?:New token|Neues Token)$/ }).click();
      await page.getByRole('dialog').getByRole('textbox').first().waitFor();
    },
  ],
  [
    'account-password',
    tabOf('account'),
    async (page) => {
      await page.getByRole('button', { name: /^(?:Change password|Passwort ändern)$/ }).click();
      await page.getByRole('dialog').getByRole('checkbox').waitFor();
    },
  ],
  ['people', tabOf('people'), (page) => page.getByRole('gridcell', { name: 'Bob Brown bob' }).waitFor()],
  [
    'people-new',
    tabOf('people'),
    async (page) => {
      await page.getByRole('button', { name: /^(?:New account|Neues Konto)$/ }).click();
      await page.getByRole('dialog').getByRole('textbox').first().waitFor();
    },
  ],
  [
    'person',
    ({ person }) => `/settings?tab=people&open=${person}`,
    (page) =>
      page
        .getByRole('dialog')
        .getByRole('gridcell', { name: /^operator/ })
        .waitFor(),
  ],
  [
    'grant',
    ({ person }) => `/settings?tab=people&open=${person}`,
    async (page) => {
      await page.getByRole('button', { name: /^(?:Give a role|Rolle vergeben)$/ }).click();
      const form = page.getByRole('dialog').last();
      await form.getByRole('combobox').first().click();
      await page.getByRole('option', { name: 'integrations', exact: true }).click();
      await form.getByRole('note').waitFor();
    },
  ],
  ['projects', tabOf('projects'), (page) => page.getByRole('gridcell', { name: 'Shop shop' }).waitFor()],
  [
    'project',
    () => '/settings?tab=projects&open=shop',
    (page) =>
      page
        .getByRole('dialog')
        .getByRole('gridcell', { name: /^support/ })
        .waitFor(),
  ],
  [
    'project-new',
    tabOf('projects'),
    async (page) => {
      await page.getByRole('button', { name: /^(?:New project|Neues Projekt)$/ }).click();
      await page.getByRole('dialog').getByRole('textbox').first().waitFor();
    },
  ],
  ['roles', tabOf('roles'), (page) => page.getByRole('columnheader', { name: 'support' }).waitFor()],
  [
    'role',
    () => '/settings?tab=roles&open=integrations',
    (page) => page.getByRole('dialog').getByRole('gridcell', { name: 'ci', exact: true }).waitFor(),
  ],
  [
    'role-new',
    tabOf('roles'),
    async (page) => {
      await page.getByRole('button', { name: /^(?:New role|Neue Rolle)$/ }).click();
      await page.getByRole('dialog').getByRole('checkbox').first().waitFor();
    },
  ],
  ['sessions', tabOf('sessions'), (page) => page.getByRole('gridcell', { name: /^ada/ }).first().waitFor()],
  ['approvals', () => '/approvals', (page) => page.getByRole('gridcell', { name: /invoices/ }).waitFor()],
  [
    'approval',
    ({ approval }) => `/approvals?approval=${approval}`,
    (page) => page.getByRole('dialog').getByRole('textbox').waitFor(),
  ],
  ['device', () => '/device', (page) => page.getByRole('textbox').last().waitFor()],
];
