import { NumberInput, Select, TagsInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import classes from './InputSchema.module.css';
import { FORMATS, type Place, type SchemaValue, setWord, schemaType } from './schema-tree.ts';
import { bindText } from '../../../ui/bind.ts';

/** What else a property says: its description, the values that are allowed, limits, the form of a text. */
export function SchemaConstraints({
  name,
  schema,
  place,
  whole,
  onChange,
}: {
  name: string;
  schema: SchemaValue;
  place: Place;
  whole: SchemaValue;
  onChange: (whole: SchemaValue) => void;
}): ReactNode {
  const set = (word: string, value: unknown) => onChange(setWord(whole, place, word, value));
  const text = (word: string) => (typeof schema[word] === 'string' ? schema[word] : '');
  const number = (word: string, label: string) => (
    <NumberInput
      key={word}
      label={label}
      value={typeof schema[word] === 'number' ? schema[word] : ''}
      onChange={(next) => set(word, typeof next === 'number' ? next : undefined)}
    />
  );
  const type = schemaType(schema);
  const isNumber = type === 'number' || type === 'integer';
  const allowed = Array.isArray(schema['enum']) ? schema['enum'].map(String) : [];
  return (
    <div className={classes.words} role="group" aria-label={t('More options for {name}', { name })}>
      <TextInput
        className={classes.wide}
        label={t('Description')}
        {...bindText(text('description'), (next) => set('description', next || undefined))}
      />
      {(type === 'string' || isNumber) && (
        <TagsInput
          className={classes.wide}
          label={t('Allowed values')}
          placeholder={t('Any. Type a value and press Enter')}
          value={allowed}
          onChange={(next) =>
            set('enum', next.length === 0 ? undefined : isNumber ? next.map(Number).filter(Number.isFinite) : next)
          }
        />
      )}
      {type === 'string' && (
        <Select
          label={t('Format')}
          data={[...FORMATS]}
          value={text('format') || null}
          clearable
          placeholder={t('any string')}
          onChange={(next) => set('format', next ?? undefined)}
        />
      )}
      {type === 'string' && (
        <TextInput
          label={t('Pattern')}
          {...bindText(text('pattern'), (next) => set('pattern', next || undefined))}
          spellCheck={false}
        />
      )}
      {type === 'string' && [number('minLength', t('Min. length')), number('maxLength', t('Max. length'))]}
      {isNumber && [number('minimum', t('Minimum')), number('maximum', t('Maximum'))]}
      {type === 'array' && [number('minItems', t('Min. items')), number('maxItems', t('Max. items'))]}
    </div>
  );
}
