import { Button, CloseButton, Flex, Group, Popover, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { IconFilterPlus } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import css from './JobsPage.module.css';
import { t } from '../../../../lib/language.ts';
import { addPair, type PairKey } from './params.ts';
import { restTerms, type JobsSearch } from '../jobs-list-search.ts';
import { printJobQuery, printTerm } from '../../../../lib/job-query/print.ts';
import { bindText } from '../../../ui/bind.ts';
import type { SearchChange } from '../../../ui/search-params.ts';

type Change = (next: SearchChange<JobsSearch>) => void;
type What = PairKey | 'text';
const WORDS: Readonly<Record<What, { readonly name: string; readonly left: string; readonly hint: string }>> = {
  input: { name: t('Input value'), left: t('Input path'), hint: 'order.country' },
  label: { name: t('Label'), left: t('Label'), hint: 'team' },
  text: { name: t('Text'), left: t('Words in the input'), hint: 'berlin' },
};

/** Filters that few searches need: a value of the input, a label, a text. */
export function MoreFilters({ search, onChange }: { search: JobsSearch; onChange: Change }): ReactNode {
  const [opened, setOpened] = useState(false);
  const [what, setWhat] = useState<What>('input');
  const [left, setLeft] = useState('');
  const [right, setRight] = useState('');
  const good = left.trim() !== '' && (what === 'text' || right !== '');
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (!good) return;
    onChange(what === 'text' ? { text: left.trim() } : { [what]: addPair(search[what], left.trim(), right) });
    setLeft('');
    setRight('');
    setOpened(false);
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" shadow="md" trapFocus returnFocus width={320}>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconFilterPlus size={15} aria-hidden />}
          aria-expanded={opened}
          onClick={() => setOpened((now) => !now)}
        >
          {t('Filter')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={add}>
          <Stack gap={8}>
            <SegmentedControl
              aria-label={t('Filter by')}
              value={what}
              onChange={(value) => setWhat(value)}
              data={(['input', 'label', 'text'] as const).map((value) => ({ value, label: WORDS[value].name }))}
            />
            <TextInput
              label={WORDS[what].left}
              placeholder={WORDS[what].hint}
              {...bindText(left, setLeft)}
              autoComplete="off"
              spellCheck={false}
              data-autofocus
            />
            {what !== 'text' && (
              <TextInput
                label={t('is')}
                placeholder={what === 'input' ? 'DE' : 'billing'}
                {...bindText(right, setRight)}
                autoComplete="off"
                spellCheck={false}
              />
            )}
            <Group justify="flex-end">
              <Button type="submit" disabled={!good}>
                {t('Add filter')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Each such filter that holds, to be taken away. */
export function FilterChips({ search, onChange }: { search: JobsSearch; onChange: Change }): ReactNode {
  const chips: { key: string; words: string; change: Parameters<Change>[0] }[] = [];
  if (search.environment !== undefined)
    chips.push({
      key: 'environment',
      words: t('environment: {environment}', { environment: search.environment }),
      change: { environment: undefined },
    });
  for (const what of ['input', 'label'] as const)
    for (const pair of search[what] ?? []) {
      const rest = search[what]?.filter((one) => one !== pair) ?? [];
      chips.push({
        key: `${what} ${pair}`,
        words: `${what}: ${pair.replace('=', ' = ')}`,
        change: { [what]: rest.length === 0 ? undefined : rest },
      });
    }
  if (search.text !== undefined)
    chips.push({ key: 'text', words: t('text: {text}', { text: search.text }), change: { text: undefined } });
  if (search.failureGroup !== undefined)
    chips.push({
      key: 'failure',
      words: t('failure {value}', { value: search.failureGroup.slice(0, 8) }),
      change: { failureGroup: undefined },
    });
  if (search.triggerId !== undefined)
    chips.push({
      key: 'trigger',
      words: t('started by …{value}', { value: search.triggerId.slice(-12) }),
      change: { triggerId: undefined },
    });
  const rest = restTerms(search);
  for (const [i, term] of rest.entries()) {
    const words = printTerm(term);
    const others = rest.filter((_, at) => at !== i);
    chips.push({
      key: `query ${i} ${words}`,
      words,
      change: { query: others.length === 0 ? undefined : printJobQuery(others) },
    });
  }
  if (chips.length === 0) return null;
  return (
    <Flex gap={4} wrap="wrap" w="100%" role="group" aria-label={t('Active filters')}>
      {chips.map(({ key, words, change }) => (
        <span key={key} className={css['chip']}>
          <span className="clip">{words}</span>
          <CloseButton size="xs" aria-label={t('Remove filter {words}', { words })} onClick={() => onChange(change)} />
        </span>
      ))}
    </Flex>
  );
}
