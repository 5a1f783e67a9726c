import { Menu } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

export interface MenuEntry {
  readonly label: string;
  readonly icon: TablerIcon;
  /** It cannot be chosen; its label says why. */
  readonly off?: boolean;
  run(): unknown;
}

/** Entries of a menu, each behind its picture of `size` pixels. */
export const MenuItems = ({ entries, size = 15 }: { entries: readonly MenuEntry[]; size?: number }): ReactNode =>
  entries.map(({ label, icon: Icon, off = false, run }) => (
    <Menu.Item key={label} leftSection={<Icon size={size} aria-hidden />} disabled={off} onClick={() => run()}>
      {label}
    </Menu.Item>
  ));
