import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { t } from '../../../../lib/language.ts';
import type { Template } from '../../../../lib/workflow-templates/index.ts';
import { findStarts, type Start, type StartId } from './starts.ts';
import { TemplatePreview } from './TemplatePreview.tsx';
import css from './Gallery.module.css';

/** What a new workflow can start with, as cards: one choice, by arrow keys as well. */
export function Gallery({ value, onChange }: { value: StartId; onChange(start: StartId): void }): ReactNode {
  const [find, setFind] = useState('');
  const templates = useTemplates();
  const list = useRef<HTMLDivElement>(null);
  const base = useId();
  const groups = findStarts(find);
  const toCards = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
    // Enter would send the form.
    event.preventDefault();
    const radios = [...(list.current?.querySelectorAll('input') ?? [])];
    const next = radios.find((radio) => radio.checked) ?? radios[0];
    next?.focus();
    next?.click();
  };
  // One that a link asked for is in sight.
  useEffect(() => {
    list.current?.querySelector('input:checked')?.closest('label')?.scrollIntoView({ block: 'nearest' });
  }, [templates]);
  return (
    <div className={css['gallery']}>
      <TextInput
        aria-label={t('Search templates')}
        placeholder={t('Search templates')}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        value={find}
        onChange={(event) => setFind(event.currentTarget.value)}
        onKeyDown={toCards}
      />
      <div ref={list} className={css['list']} role="radiogroup" aria-label={t('Start with')}>
        {groups.map((group) => (
          <section key={group.name} aria-label={group.name}>
            <h3 className={css['heading']}>{group.name}</h3>
            <div className={css['cards']}>
              {group.starts.map((start) => (
                <Card
                  key={start.id}
                  start={start}
                  graph={start.graph ?? templates?.[start.id]?.definition ?? null}
                  base={base}
                  checked={start.id === value}
                  onChoose={() => onChange(start.id)}
                />
              ))}
            </div>
          </section>
        ))}
        {groups.length === 0 && <p className="dim">{t('No templates match “{text}”', { text: find.trim() })}</p>}
      </div>
    </div>
  );
}

function Card({
  start: { id, name, description },
  graph,
  base,
  checked,
  onChoose,
}: {
  start: Start;
  graph: Start['graph'];
  base: string;
  checked: boolean;
  onChoose(): void;
}): ReactNode {
  return (
    <label className={css['card']}>
      <input
        type="radio"
        name={base}
        checked={checked}
        onChange={onChoose}
        aria-labelledby={`${base}-${id}-name`}
        aria-describedby={`${base}-${id}-text`}
      />
      <span className={css['picture']} data-blank={graph?.nodes.length === 0 || undefined}>
        {graph && graph.nodes.length > 0 && <TemplatePreview {...graph} />}
      </span>
      <span className={css['name']} id={`${base}-${id}-name`}>
        {name}
      </span>
      <span className={css['text']} id={`${base}-${id}-text`}>
        {description}
      </span>
    </label>
  );
}

/** The graphs are loaded when somebody looks at them; until then their places stay empty. */
function useTemplates(): Readonly<Partial<Record<StartId, Template>>> | null {
  const [templates, setTemplates] = useState<Readonly<Partial<Record<StartId, Template>>> | null>(null);
  useEffect(() => {
    void import('../../../../lib/workflow-templates/index.ts').then((loaded) => setTemplates(loaded.TEMPLATES));
  }, []);
  return templates;
}
