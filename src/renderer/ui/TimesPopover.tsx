import { Button, Popover, type PopoverProps, Stack, TextInput } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useUiSettings } from './settings.tsx';
import { instantOfWall, wallTime } from './time-text.ts';
import { bindText } from './bind.ts';

/** Two times that were chosen, as ISO texts. */
export interface Times {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface TimesPopoverProps {
  /** Of the button, and of the two fields. */
  readonly label: string;
  readonly fromLabel: string;
  readonly toLabel: string;
  readonly times: Times;
  readonly chosen: boolean;
  /** Of the button that takes both away. */
  readonly clearLabel: string;
  readonly position: NonNullable<PopoverProps['position']>;
  /** With seconds. */
  readonly seconds?: boolean;
  onChange(times: Times): void;
  onClear(): void;
}

/** A range of times of the viewer's own choice, in the viewer's zone, behind a button with a calendar. */
export function TimesPopover({
  label,
  fromLabel,
  toLabel,
  times,
  chosen,
  clearLabel,
  position,
  seconds = false,
  onChange,
  onClear,
}: TimesPopoverProps): ReactNode {
  const { zone } = useUiSettings();
  const isoOf = (wall: string) => {
    const at = instantOfWall(wall, zone);
    return at === null ? undefined : new Date(at).toISOString();
  };
  const field = (name: keyof Times, text: string) => (
    <TextInput
      type="datetime-local"
      {...(seconds ? { step: 1 } : {})}
      label={text}
      {...bindText(
        times[name] === undefined ? '' : wallTime(Date.parse(times[name]), zone).slice(0, seconds ? 19 : 16),
        (text) => onChange({ [name]: isoOf(text) }),
      )}
    />
  );
  return (
    <Popover position={position} shadow="md" trapFocus>
      <Popover.Target>
        <Button variant={chosen ? 'light' : 'default'} px={7} aria-label={label}>
          <IconCalendar size={15} aria-hidden />
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={8}>
          {field('from', fromLabel)}
          {field('to', toLabel)}
          <Button variant="default" onClick={onClear}>
            {clearLabel}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
