import { join } from 'node:path';
import { Menu, nativeImage, type NativeImage, Tray } from 'electron';
import type { Connection, LocalStatus } from '../../contract/ipc.ts';
import { t } from '../../lib/language.ts';
import { menuLabel } from '../languages/menu-label.ts';
import type { TrayIconName, TrayState } from './tray-state.ts';

export interface TrayActions {
  /** Shows the window, at a path where one is given. */
  open(path?: string): void;
  switchTo(connection: string): void;
  startLocal(): void;
  stopLocal(): void;
  quit(): void;
}

export interface TrayIcon {
  draw(face: TrayState, connections: readonly Connection[], local: LocalStatus): void;
}

/** The icon in the system's tray; null where the system has none. */
export function createTray(folder: string, actions: TrayActions): TrayIcon | null {
  const images = new Map<TrayIconName, NativeImage>();
  const image = (face: TrayIconName): NativeImage => {
    const known = images.get(face);
    if (known) return known;
    // macOS draws a template in its own colours, light or dark; the state is in the menu and the number beside it.
    const made = nativeImage.createFromPath(
      join(folder, process.platform === 'darwin' ? 'trayTemplate.png' : `${face}.png`),
    );
    images.set(face, made);
    return made;
  };
  let tray: Tray;
  try {
    tray = new Tray(image('off'));
  } catch {
    return null;
  }
  tray.on('click', () => actions.open());
  let drawn = '';
  return {
    draw(face, connections, local) {
      // A menu that is replaced while it is open closes: only a change does that.
      const state = JSON.stringify([
        face,
        connections.map(({ id, name, selected }) => [id, name, selected]),
        local.state,
        local.adopted,
      ]);
      if (state === drawn) return;
      drawn = state;
      tray.setImage(image(face.icon));
      tray.setToolTip(face.tooltip);
      const running = local.state === 'running' || local.state === 'starting' || local.state === 'restarting';
      tray.setContextMenu(
        Menu.buildFromTemplate([
          { label: t('Open Yardmaster'), click: () => actions.open() },
          { type: 'separator' },
          ...face.lines.map(({ label, path }) => ({ label: menuLabel(label), click: () => actions.open(path) })),
          { type: 'separator' },
          ...(connections.length > 1
            ? [
                {
                  label: t('Connection'),
                  submenu: connections.map(({ id, name, selected }) => ({
                    label: menuLabel(name),
                    type: 'radio' as const,
                    checked: selected,
                    click: () => actions.switchTo(id),
                  })),
                },
              ]
            : []),
          running
            ? { label: t('Stop the local master'), enabled: !local.adopted, click: actions.stopLocal }
            : { label: t('Start the local master'), enabled: local.state !== 'stopping', click: actions.startLocal },
          { type: 'separator' },
          { label: t('Quit Yardmaster'), click: actions.quit },
        ]),
      );
    },
  };
}
