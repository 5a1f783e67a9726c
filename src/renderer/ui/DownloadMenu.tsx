import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../lib/language.ts';

export interface DownloadForm {
  readonly name: string;
  /** Who it is for. */
  readonly hint: string;
  /** The master streams it, so its size does not matter. */
  readonly href: string;
  /** Name of the file. */
  readonly file: string;
}

/** Everything that matches, as a file in one of several forms. */
export function DownloadMenu({ what, forms }: { what: string; forms: readonly DownloadForm[] }): ReactNode {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />}>
          {t('Export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{what}</Menu.Label>
        {forms.map(({ name, hint, href, file }) => (
          <Menu.Item key={file} component="a" href={href} download={file}>
            {name} <span className="dim">{hint}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
