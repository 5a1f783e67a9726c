import { Button, Flex, TextInput } from '@mantine/core';
import { IconArrowLeft, IconList, IconSearch } from '@tabler/icons-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { t, tn } from '../../../lib/language.ts';
import { topics } from './docs.ts';
import { findHelp } from './find.ts';
import css from './Help.module.css';
import { Markdown } from './Markdown.tsx';
import { bindText } from '../../ui/bind.ts';

interface Place {
  readonly name: string;
  readonly slug: string;
}

/** Search over the docs, and one page of them. `start`: the topic shown first, `name` or `name#place`; the empty one is the list of all. */
export function HelpBody({ start }: { start: string }): ReactNode {
  const [query, setQuery] = useState('');
  const [trail, setTrail] = useState<readonly Place[]>(() => {
    const [name = '', slug = ''] = start.split('#');
    return name === '' ? [] : [{ name, slug }];
  });
  const body = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  // It comes after the drawer, which has given the focus to its first button by then.
  useEffect(() => search.current?.focus({ preventScroll: true }), []);
  const all = topics();
  const place = trail.at(-1);
  const topic = place === undefined ? undefined : all.get(place.name);
  const hits = useMemo(() => findHelp(all.values(), query), [all, query]);
  const open = (name: string, slug: string) => {
    setQuery('');
    setTrail((before) => [...before.slice(-20), { name, slug }]);
  };

  useEffect(() => {
    const target = place?.slug
      ? body.current?.querySelector<HTMLElement>(`[data-slug="${CSS.escape(place.slug)}"]`)
      : null;
    if (target) {
      target.scrollIntoView({ block: 'start' });
      target.focus({ preventScroll: true });
    } else body.current?.scrollTo({ top: 0 });
  }, [place]);

  return (
    <div className={css['help']}>
      <TextInput
        aria-label={t('Search the docs')}
        placeholder={t('Search the docs')}
        leftSection={<IconSearch size={15} aria-hidden />}
        {...bindText(query, setQuery)}
        ref={search}
      />
      <Flex gap={6} mih={22}>
        {trail.length > 1 && query === '' && (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconArrowLeft size={13} aria-hidden />}
            onClick={() => setTrail((before) => before.slice(0, -1))}
          >
            {t('Back')}
          </Button>
        )}
        {(topic !== undefined || query !== '') && (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconList size={13} aria-hidden />}
            onClick={() => (setQuery(''), setTrail([]))}
          >
            {t('All topics')}
          </Button>
        )}
      </Flex>
      <div ref={body} className={css['body']}>
        {query !== '' ? (
          <>
            <p role="status" className="dim">
              {hits.length === 0 ? t('No results in the docs.') : tn('{count} result', '{count} results', hits.length)}
            </p>
            <ul className={`bare hits ${css['found']}`}>
              {hits.map(({ topic: found, section, excerpt }) => (
                <li key={`${found.name}#${section.slug}`}>
                  <button type="button" onClick={() => open(found.name, section.slug)}>
                    <strong>{section.title}</strong>
                    {section.title !== found.title && <span className="dim"> · {found.title}</span>}
                    <span className={css['excerpt']}>{excerpt}</span>
                  </button>
                </li>
              ))}
            </ul>
          </>
        ) : topic === undefined ? (
          <ul className={`bare hits ${css['found']}`}>
            {[...all.values()]
              .toSorted((a, b) => a.title.localeCompare(b.title))
              .map((one) => (
                <li key={one.name}>
                  <button type="button" onClick={() => open(one.name, '')}>
                    <strong>{one.title}</strong>
                  </button>
                </li>
              ))}
          </ul>
        ) : (
          <article className={css['article']}>
            <Markdown tokens={topic.tokens} topic={topic.name} onTopic={open} />
          </article>
        )}
      </div>
    </div>
  );
}
