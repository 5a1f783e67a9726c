import { ActionIcon, Button, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { IconBookmark, IconTrash } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useMemo, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { createSavedViews } from '../../stores/saved-views.ts';
import { bindText } from '../../ui/bind.ts';

/** Names for the filters, order and columns of a page, to come back to. `page`: which page they are of. */
export function ViewMenu({
  page,
  search,
  onOpen,
}: {
  page: string;
  search: object;
  onOpen(search: Readonly<Record<string, unknown>>): void;
}): ReactNode {
  const store = useMemo(() => createSavedViews(windowStorage(), page), [page]);
  const [views, setViews] = useState(store.list);
  const [opened, setOpened] = useState(false);
  const [name, setName] = useState('');
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return;
    setViews(store.save(name.trim(), { ...search, page: undefined }));
    setName('');
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" shadow="md" trapFocus returnFocus width={290}>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconBookmark size={15} aria-hidden />}
          aria-expanded={opened}
          onClick={() => setOpened((now) => !now)}
        >
          {t('Views')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={6}>
          {views.length === 0 && (
            <Text size="sm" c="dimmed">
              {t('No saved views yet. Set filters, sort order and columns, then enter a name.')}
            </Text>
          )}
          {views.map((view) => (
            <Group key={view.name} gap={4} wrap="nowrap">
              <Button
                variant="subtle"
                color="gray"
                size="compact-sm"
                justify="flex-start"
                flex={1}
                onClick={() => {
                  setOpened(false);
                  onOpen(view.search);
                }}
              >
                {view.name}
              </Button>
              <ActionIcon
                size="sm"
                aria-label={t('Delete view {name}', { name: view.name })}
                onClick={() => setViews(store.remove(view.name))}
              >
                <IconTrash size={14} aria-hidden />
              </ActionIcon>
            </Group>
          ))}
          <form onSubmit={save}>
            <Group gap={6} wrap="nowrap" align="end">
              <TextInput
                label={t('Save current view as')}
                {...bindText(name, setName)}
                maxLength={60}
                flex={1}
                data-autofocus
              />
              <Button type="submit" disabled={name.trim() === ''}>
                {t('Save')}
              </Button>
            </Group>
          </form>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function windowStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
