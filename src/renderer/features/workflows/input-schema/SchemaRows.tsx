import { ActionIcon, Button, Checkbox, Select, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { t } from '../../../../lib/language.ts';
import classes from './InputSchema.module.css';
import {
  addProperty,
  itemsOf,
  type Place,
  schemaProperties,
  type Property,
  removeProperty,
  renameProperty,
  type SchemaValue,
  setRequired,
  setType,
  TYPES,
  schemaType,
} from './schema-tree.ts';
import { SchemaConstraints } from './SchemaConstraints.tsx';
import { bindChecked, bindChoice, bindText } from '../../../ui/bind.ts';

interface RowsProps {
  readonly schema: SchemaValue;
  readonly place: Place;
  readonly whole: SchemaValue;
  readonly onChange: (whole: SchemaValue) => void;
}

/** The properties of an object, each with those inside it. */
export function SchemaRows({ schema, place, whole, onChange }: RowsProps): ReactNode {
  const properties = schemaProperties(schema, place);
  return (
    <ul
      className={classes.rows}
      aria-label={place.length === 0 ? t('Properties') : t('Properties of {name}', { name: place.join('.') })}
    >
      {properties.map((property, index) => (
        <Row key={index} property={property} whole={whole} onChange={onChange} />
      ))}
    </ul>
  );
}

function Row({
  property,
  whole,
  onChange,
}: {
  property: Property;
  whole: SchemaValue;
  onChange: (whole: SchemaValue) => void;
}): ReactNode {
  const { name, place, schema, required } = property;
  const [open, setOpen] = useState(false);
  const [text, setText] = useState(name);
  const more = useId();
  useEffect(() => setText(name), [name]);
  const type = schemaType(schema);
  const items = itemsOf(schema, place);
  const rename = () => {
    if (text !== name && text !== '') onChange(renameProperty(whole, place, text));
    else setText(name);
  };
  return (
    <li className={classes.row}>
      <div className={classes.line}>
        <ActionIcon
          size="sm"
          aria-label={open ? t('Fewer options for {name}', { name }) : t('More options for {name}', { name })}
          aria-expanded={open}
          aria-controls={more}
          onClick={() => setOpen(!open)}
        >
          {open ? <IconChevronDown size={14} aria-hidden="true" /> : <IconChevronRight size={14} aria-hidden="true" />}
        </ActionIcon>
        <TextInput
          aria-label={t('Property name')}
          {...bindText(text, setText)}
          onBlur={rename}
          onKeyDown={(event) => event.key === 'Enter' && rename()}
          spellCheck={false}
        />
        <Select
          aria-label={t('Type of {name}', { name })}
          data={[...TYPES]}
          {...bindChoice(type, (next) => onChange(setType(whole, place, next)))}
          placeholder={t('multiple')}
        />
        <Checkbox label={t('required')} {...bindChecked(required, (on) => onChange(setRequired(whole, place, on)))} />
        <ActionIcon
          size="sm"
          aria-label={t('Remove {name}', { name })}
          onClick={() => onChange(removeProperty(whole, place))}
        >
          <IconTrash size={14} aria-hidden="true" />
        </ActionIcon>
      </div>
      <div id={more}>
        {open && <SchemaConstraints name={name} schema={schema} place={place} whole={whole} onChange={onChange} />}
      </div>
      {type === 'object' && (
        <div className={classes.inside}>
          <SchemaRows schema={schema} place={place} whole={whole} onChange={onChange} />
          <AddInside place={place} whole={whole} name={name} onChange={onChange} />
        </div>
      )}
      {items && (
        <div className={classes.inside}>
          <div className={classes.line}>
            <span className="dim">{t('array items')}</span>
            <Select
              aria-label={t('Item type of {name}', { name })}
              data={[...TYPES]}
              {...bindChoice(schemaType(items.schema), (next) => onChange(setType(whole, items.place, next)))}
              placeholder={t('any')}
            />
          </div>
          {schemaType(items.schema) === 'object' && (
            <>
              <SchemaRows schema={items.schema} place={items.place} whole={whole} onChange={onChange} />
              <AddInside place={items.place} whole={whole} name={name} onChange={onChange} />
            </>
          )}
        </div>
      )}
    </li>
  );
}

function AddInside({
  place,
  whole,
  name,
  onChange,
}: {
  place: Place;
  whole: SchemaValue;
  name: string;
  onChange: (whole: SchemaValue) => void;
}): ReactNode {
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      leftSection={<IconPlus size={12} aria-hidden="true" />}
      onClick={() => onChange(addProperty(whole, place).schema)}
    >
      {t('Add property to {name}', { name })}
    </Button>
  );
}
