import {
  IconArrowRight,
  IconBook,
  IconClockHour4,
  IconContrast,
  IconKeyboard,
  IconListDetails,
  IconPlus,
  IconRefresh,
  IconRoute,
  IconServerBolt,
  IconSettings,
  IconTemplate,
  IconTerminal2,
  IconBell,
  IconMap,
  IconPackage,
  type TablerIcon,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useContext } from 'react';
import { FAILING_STATUSES } from '../../../contract/vocabulary.ts';
import { t } from '../../../lib/language.ts';
import { TEMPLATE_ENTRIES, TEMPLATE_IDS } from '../../../lib/workflow-templates/catalogue.ts';
import { findQuery } from '../../api/find.ts';
import { settingsQuery } from '../../api/overview.ts';
import { usePreferences, useStores } from '../../stores/context.tsx';
import { callShell, connectionsQuery, desktop, useMasterUrl } from '../../stores/desktop.ts';
import { useRights } from '../../stores/role.ts';
import { copyText } from '../../ui/CopyButton.tsx';
import { toastSuccess, toastFailure } from '../../ui/toasts.tsx';
import { reaches, whyNoCreate, whyNotAdministrator } from '../../stores/permissions.ts';
import { useAlone } from '../../stores/projects.ts';
import { cliText, pageCommands, curlText } from '../commands/commands.ts';
import { FOUND_KINDS } from './found-kinds.ts';
import { settingName } from '../../ui/setting-name.ts';
import { fuzzy } from './fuzzy.ts';
import { linkedPath } from './linked-path.ts';
import { approvalsEntry, fleetEntry, isFor, navEntries, operationsEntry } from '../frame/nav.ts';
import { createEntries } from './create-entries.ts';
import { settingsEntries } from './settings-entries.ts';
import { ShortcutsContext } from '../../keyboard/use-shortcut.ts';

export interface PaletteEntry {
  id: string;
  /** The heading over it, in the reader's language. */
  group: string;
  label: string;
  hint?: string;
  icon: TablerIcon;
  /** A place to go to; it is remembered. */
  path?: string;
  run(): void;
}

/** Dialogs of the frame that the palette opens. */
export interface PaletteActions {
  onShortcuts(): void;
  onHelp(topic: string): void;
  onNotifications(): void;
  onCommands(): void;
  onTour(): void;
}

const WHOLE = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{40}|ymt?_.*)$/i;
/** In one group, where something was typed. */
const MOST = 6;

/** What the palette offers for a text. `text` is trimmed; `asked` is the same, a moment later, for what the master looks up. */
export function useEntries(
  text: string,
  asked: string,
  actions: PaletteActions,
): { entries: PaletteEntry[]; looking: boolean } {
  const router = useRouter();
  const { live, recent } = useStores();
  const preferences = usePreferences((p) => p);
  const rights = useRights();
  const alone = useAlone();
  const shortcuts = useContext(ShortcutsContext);
  const { data: connections = [] } = useQuery(connectionsQuery());
  const { data: settings } = useQuery({ ...settingsQuery(), enabled: text !== '' && reaches(rights, 'settings.get') });
  const { data: found, isFetching } = useQuery(findQuery(asked));
  const { data: topics } = useQuery({
    queryKey: ['help-topics'],
    queryFn: () => import('../help/docs.ts').then((module) => [...module.topics().values()]),
    enabled: text.length > 1,
    staleTime: Infinity,
  });

  const origin = useMasterUrl();
  const go = (path: string) => void router.navigate({ href: path });
  const groups: { name: string; scored: ScoredEntry[] }[] = [];
  const scoreOf = ({ label, hint = '' }: Omit<PaletteEntry, 'group'>) => fuzzy(text, `${label} ${hint}`);
  /** Adds what answers the text, best first; `less`: by how much what answers it alike elsewhere is better. */
  const group = (name: string, list: readonly Omit<PaletteEntry, 'group'>[], less = 0) => {
    const scored = list.flatMap((entry) => {
      const score = text === '' ? 0 : scoreOf(entry);
      return score === null ? [] : [{ entry, score: score - less }];
    });
    if (text !== '') scored.sort((a, b) => b.score - a.score);
    groups.push({ name, scored: text === '' ? scored : scored.slice(0, MOST) });
  };
  const place = (id: string, label: string, path: string, icon: TablerIcon, hint?: string) => ({
    id,
    label,
    icon,
    path,
    ...(hint === undefined ? {} : { hint }),
    run: () => go(path),
  });

  const linked = linkedPath(text, window.location);
  if (linked !== null)
    groups.push({
      name: t('Go to'),
      scored: [
        {
          entry: place('link', t('Open the link: {path}', { path: linked }), linked, IconArrowRight),
          score: Infinity,
        },
      ],
    });
  if (text === '')
    group(
      t('Recent'),
      recent
        .list()
        .slice(0, 5)
        .map(({ label, hint, path }, i) => place(`recent-${i}`, label, path, IconClockHour4, hint)),
    );
  group(
    t('Go to'),
    [...navEntries(), ...(desktop() ? [] : [fleetEntry()])]
      .filter((entry) => isFor(rights, entry))
      .map(({ to, label, icon, key }) => place(to, label, to, icon, `g ${key}`)),
  );

  // What the page itself registers; keys of the frame open what is listed below by its own name.
  const own = (shortcuts?.list() ?? []).filter(({ scope }) => scope === 'page');
  group(
    t('This page'),
    own.map(({ id, keys, label, run }) => ({
      id: `own-${id}`,
      label,
      ...(keys === null ? {} : { hint: keys }),
      icon: IconKeyboard,
      run,
    })),
  );

  const zone = preferences.zone === 'utc' ? 'local' : 'utc';
  const times = preferences.times === 'relative' ? 'absolute' : 'relative';
  const themes = { light: t('Theme: light'), dark: t('Theme: dark'), system: t('Theme: system') };
  const densities = {
    compact: t('Density: compact'),
    regular: t('Density: regular'),
    comfortable: t('Density: comfortable'),
  };
  const action = (id: string, label: string, icon: TablerIcon, run: () => void, hint?: string) => ({
    id,
    label,
    icon,
    run,
    ...(hint === undefined ? {} : { hint }),
  });
  // What the page offers by the same name stands there, once.
  const offered = new Set(own.map(({ label }) => label));
  const creates = [
    ...(whyNoCreate(rights) === null
      ? [action('new-workflow', t('New workflow'), IconPlus, () => go('/workflows?create=true'))]
      : []),
    ...(whyNotAdministrator(rights) === null
      ? [action('add-worker', t('Add worker'), IconPlus, () => go('/workers?add=true'))]
      : []),
    ...createEntries(rights, alone).map(({ label, path, hint }) =>
      action(
        `create-${path}`,
        label,
        IconPlus,
        () => {
          shortcuts?.runOnceOffered(label);
          go(path);
        },
        hint,
      ),
    ),
  ];
  group(t('Actions'), [
    ...creates.filter(({ label }) => !offered.has(label)),
    place(
      'failed',
      t('Show failed jobs'),
      `/jobs?${FAILING_STATUSES.map((status) => `status=${status}`).join('&')}`,
      IconListDetails,
    ),
    place('incident', t('Open incident bundle…'), '/incident', IconPackage),
    ...(isFor(rights, approvalsEntry())
      ? [place('approvals', t('Approvals'), '/approvals', IconListDetails, 'g q')]
      : []),
    ...(isFor(rights, operationsEntry())
      ? [place('operations', operationsEntry().label, operationsEntry().to, IconListDetails, 'g p')]
      : []),
    action('command', t('This page as a command'), IconTerminal2, actions.onCommands, 'c'),
    action('notices', t('Notifications'), IconBell, actions.onNotifications, 'b'),
    action('refresh', t('Reload all data'), IconRefresh, () => live.retryNow()),
    ...(['light', 'dark', 'system'] as const)
      .filter((theme) => theme !== preferences.theme)
      .map((theme) => action(`theme-${theme}`, themes[theme], IconContrast, () => preferences.set({ theme }))),
    ...(['compact', 'regular', 'comfortable'] as const)
      .filter((density) => density !== preferences.density)
      .map((density) =>
        action(`density-${density}`, densities[density], IconContrast, () => preferences.set({ density })),
      ),
    action('zone', zone === 'utc' ? t('Show times in UTC') : t('Show times in local time'), IconContrast, () =>
      preferences.set({ zone }),
    ),
    action('times', times === 'absolute' ? t('Show absolute times') : t('Show relative times'), IconContrast, () =>
      preferences.set({ times }),
    ),
    action('shortcuts', t('Keyboard shortcuts'), IconKeyboard, actions.onShortcuts, '?'),
    action('help', t('Help for this page'), IconBook, () => actions.onHelp('page'), 'h'),
    action('tour', t('Take the tour'), IconMap, actions.onTour),
    ...connections
      .filter(({ selected }) => !selected)
      .map(({ id, name, url }) =>
        action(
          `connection-${id}`,
          t('Switch to {name}', { name }),
          IconServerBolt,
          () => void callShell('connections:select', { id }).catch(toastFailure(t('Could not switch the connection'))),
          url ?? '',
        ),
      ),
  ]);
  if (text === '') return { entries: listed(groups), looking: false };

  const { pathname, search } = router.state.location;
  group(
    t('Copy as a command'),
    pageCommands(pathname, { ...search }).map((command) =>
      action(
        `copy-${command.label}`,
        command.label,
        IconTerminal2,
        () =>
          void copyText(cliText(command) ?? curlText(command, origin || '$YARDMASTER_URL')).then(() =>
            toastSuccess(t('Command copied')),
          ),
        cliText(command) === null ? 'curl' : 'yardmaster',
      ),
    ),
  );
  group(
    t('Settings'),
    settingsEntries()
      .filter(({ needs, together }) => (needs === undefined || reaches(rights, needs)) && !(together && alone))
      .map(({ id, label, path, hint }) => place(`setting-${id}`, label, path, IconSettings, hint)),
  );
  // There are hundreds, named after what they limit: whatever else is called like that comes first.
  groups.push({
    name: t('Limits and retention'),
    scored: (settings?.settings ?? [])
      .flatMap(({ name }) => {
        const path = `/settings?tab=limits&find=${encodeURIComponent(name)}`;
        const entry = place(`limit-${name}`, settingName(name), path, IconSettings, name);
        const score = scoreOf(entry);
        return score === null ? [] : [{ entry, score }];
      })
      .toSorted((x, y) => y.score - x.score)
      .slice(0, MOST)
      .map(({ entry }) => ({ entry, score: LAST })),
  });
  if (whyNoCreate(rights) === null)
    group(
      t('Templates'),
      TEMPLATE_IDS.map((id) =>
        action(
          `template-${id}`,
          t('Template: {name}', { name: TEMPLATE_ENTRIES[id].name }),
          IconTemplate,
          () => go(`/workflows?create=true&template=${id}`),
          TEMPLATE_ENTRIES[id].description,
        ),
      ),
    );
  // Whatever the master found answers the text, in its own order.
  const results: ScoredEntry[] = [];
  if (asked === text)
    for (const { kind, id, label, detail, path } of found?.items ?? []) {
      const entry = place(
        `found-${kind}-${id}`,
        label,
        path,
        FOUND_KINDS[kind].icon,
        `${FOUND_KINDS[kind].word()} · ${detail}`,
      );
      results.push({ entry, score: scoreOf(entry) ?? 0 });
    }
  // A whole id or a secret is what it is: no list begins with it.
  if (!WHOLE.test(text))
    results.push({
      entry: place(
        'find-jobs',
        t('Jobs with an ID or external ID starting with “{text}”', { text }),
        `/jobs?q=${encodeURIComponent(text)}`,
        IconRoute,
      ),
      score: 0,
    });
  groups.push({ name: t('Search results'), scored: results });
  // To do it comes before reading about it.
  const sections = (topics ?? []).flatMap((topic) => topic.sections.map((section) => ({ topic, section })));
  group(
    t('Help'),
    sections.map(({ topic, section }) =>
      action(
        `help-${topic.name}-${section.slug}`,
        section.title,
        IconBook,
        () => actions.onHelp(`${topic.name}#${section.slug}`),
        section.title === topic.title ? '' : topic.title,
      ),
    ),
    READING,
  );
  return { entries: listed(byBestAnswer(groups)), looking: isFetching || asked !== text };
}

/** Below what any other entry gets. */
const LAST = -0.5;
/** Two matches that begin a word differ by less than this, a match and letters that lie apart by more. */
const READING = 30;

interface ScoredEntry {
  readonly entry: Omit<PaletteEntry, 'group'>;
  readonly score: number;
}
type Group = Readonly<{ name: string; scored: readonly ScoredEntry[] }>;

const listed = (groups: readonly Group[]): PaletteEntry[] =>
  groups.flatMap(({ name, scored }) => scored.map(({ entry }) => ({ ...entry, group: name })));

/** The group with the best answer first: letters of an action that lie apart do not come before a workflow of that very name. */
const byBestAnswer = (groups: readonly Group[]): Group[] => groups.toSorted((a, b) => best(b) - best(a));
const best = ({ scored }: Group): number => Math.max(...scored.map(({ score }) => score), -1);
