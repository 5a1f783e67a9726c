import { type Primitive, Select, type SelectProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';

/**
 * A `Select` that draws its list of options when it is first pointed at or has the focus. Mantine draws that of each one, hidden, with
 * the page: on a page of filters a good part of the time that opening it takes.
 */
export function LazySelect<Value extends Primitive = string>({
  comboboxProps,
  onFocus,
  onPointerEnter,
  ...rest
}: SelectProps<Value>): ReactNode {
  const [wanted, setWanted] = useState(false);
  return (
    <Select<Value>
      {...(rest as SelectProps<Value>)}
      comboboxProps={{ ...comboboxProps, keepMounted: wanted }}
      onPointerEnter={(event) => (setWanted(true), onPointerEnter?.(event))}
      onFocus={(event) => (setWanted(true), onFocus?.(event))}
    />
  );
}
