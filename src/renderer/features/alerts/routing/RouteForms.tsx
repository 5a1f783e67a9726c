import { ActionIcon, Button, Checkbox, Group, MultiSelect, TagsInput, Textarea } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Channel } from '../../../../contract/alert-channels.ts';
import { t, tn } from '../../../../lib/language.ts';
import css from '../shared/Alerts.module.css';
import { type InhibitionDraft, newInhibition, newRoute, type RouteDraft } from './route-draft.ts';
import { matchersIn } from '../shared/labels.ts';
import { bindChecked, bindText } from '../../../ui/bind.ts';

/** Routes in their order: which alerts go elsewhere, and where to. */
export function RouteForms({
  routes,
  channels,
  disabled,
  onChange,
}: {
  routes: readonly RouteDraft[];
  channels: readonly Channel[];
  disabled: boolean;
  onChange(next: readonly RouteDraft[]): void;
}): ReactNode {
  const put = (at: number, change: Partial<RouteDraft>) =>
    onChange(routes.map((route, i) => (i === at ? { ...route, ...change } : route)));
  const swap = (at: number, by: -1 | 1) =>
    onChange(
      routes.map((route, i) => (i === at ? (routes[at + by] ?? route) : i === at + by ? (routes[at] ?? route) : route)),
    );
  return (
    // Takes the focus where a route of it is removed.
    <div role="group" aria-label={t('Routes')} tabIndex={-1} className={css['form']}>
      {routes.map((route, i) => (
        <fieldset key={route.key} className={css['route']} disabled={disabled}>
          <legend>{t('Route {number}', { number: i + 1 })}</legend>
          <div className={css['pair']}>
            <MatcherField label={t('Matchers')} value={route.matchers} onChange={(matchers) => put(i, { matchers })} />
            <div className={css['form']}>
              <MultiSelect
                label={t('Channels')}
                data={channels.map(({ id, name }) => ({ value: id, label: name }))}
                value={route.channels}
                onChange={(to) => put(i, { channels: to })}
                placeholder={route.channels.length === 0 ? t('Default channels') : ''}
                disabled={disabled}
              />
              <Checkbox
                label={t('Continue matching subsequent routes')}
                {...bindChecked(route.goOn, (on) => put(i, { goOn: on }))}
              />
            </div>
          </div>
          <Group justify="space-between" gap={4}>
            <span className="dim">
              {route.inner > 0 && tn('{count} nested route: see JSON', '{count} nested routes: see JSON', route.inner)}
            </span>
            <Group gap={2}>
              <ActionIcon
                aria-label={t('Move route {number} up', { number: i + 1 })}
                disabled={disabled || i === 0}
                onClick={() => swap(i, -1)}
              >
                <IconArrowUp size={15} aria-hidden />
              </ActionIcon>
              <ActionIcon
                aria-label={t('Move route {number} down', { number: i + 1 })}
                disabled={disabled || i === routes.length - 1}
                onClick={() => swap(i, 1)}
              >
                <IconArrowDown size={15} aria-hidden />
              </ActionIcon>
              <ActionIcon
                aria-label={t('Remove route {number}', { number: i + 1 })}
                disabled={disabled}
                onClick={() => onChange(routes.filter((_, at) => at !== i))}
              >
                <IconTrash size={15} aria-hidden />
              </ActionIcon>
            </Group>
          </Group>
        </fieldset>
      ))}
      <Button
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={disabled}
        onClick={() => onChange([...routes, newRoute()])}
        className={css['add'] ?? ''}
      >
        {t('Add route')}
      </Button>
    </div>
  );
}

/** What holds what back. */
export function InhibitionForms({
  inhibitions,
  disabled,
  onChange,
}: {
  inhibitions: readonly InhibitionDraft[];
  disabled: boolean;
  onChange(next: readonly InhibitionDraft[]): void;
}): ReactNode {
  const put = (at: number, change: Partial<InhibitionDraft>) =>
    onChange(inhibitions.map((one, i) => (i === at ? { ...one, ...change } : one)));
  return (
    <div role="group" aria-label={t('Inhibitions')} tabIndex={-1} className={css['form']}>
      {inhibitions.map((one, i) => (
        <fieldset key={one.key} className={css['route']} disabled={disabled}>
          <legend>{t('Inhibition {number}', { number: i + 1 })}</legend>
          <div className={css['pair']}>
            <MatcherField
              label={t('While an alert matching this is firing')}
              value={one.source}
              onChange={(source) => put(i, { source })}
            />
            <MatcherField
              label={t('Suppress alerts matching this')}
              value={one.target}
              onChange={(target) => put(i, { target })}
            />
            <TagsInput
              label={t('Equal labels')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              description={t('Labels that must be the same on both. Empty: any')}
              value={one.equal}
              onChange={(equal) => put(i, { equal })}
              disabled={disabled}
            />
          </div>
          <Group justify="flex-end">
            <ActionIcon
              aria-label={t('Remove inhibition {number}', { number: i + 1 })}
              disabled={disabled}
              onClick={() => onChange(inhibitions.filter((_, at) => at !== i))}
            >
              <IconTrash size={15} aria-hidden />
            </ActionIcon>
          </Group>
        </fieldset>
      ))}
      <Button
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={disabled}
        onClick={() => onChange([...inhibitions, newInhibition()])}
        className={css['add'] ?? ''}
      >
        {t('Add inhibition')}
      </Button>
    </div>
  );
}

function MatcherField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange(text: string): void;
}): ReactNode {
  return (
    <Textarea
      label={label}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={t('One per line: name="value", also != =~ !~')}
      {...bindText(value, onChange)}
      autosize
      minRows={2}
      maxRows={6}
      spellCheck={false}
      classNames={{ input: 'mono' }}
      error={matchersIn(value) === null && t('Each line needs a name, an operator (= != =~ !~) and a value.')}
    />
  );
}
