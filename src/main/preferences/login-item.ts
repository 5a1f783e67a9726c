import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Starting with the user's session: what the system is told. */
export interface LoginItem {
  /** Null: it can; else why not. */
  fault(): string | null;
  set(on: boolean): void;
}

export interface LoginItemParts {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  /** What starts the app; null: it runs from a source folder, which is no program to start at login. */
  program: string | null;
  /** `app.setLoginItemSettings`. */
  tell(settings: { openAtLogin: boolean; args: string[] }): void;
}

/** At login the app comes up in the tray, without its window. */
const HIDDEN = '--hidden';

/** macOS and Windows have a call for it; on Linux it is a file of the user's autostart folder. */
export function createLoginItem({ platform, env, program, tell }: LoginItemParts): LoginItem {
  const file = join(env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'autostart', 'yardmaster.desktop');
  return {
    fault: () => (program === null ? 'Only an installed app can start at login: this one runs from source.' : null),
    set(on) {
      if (program === null) return;
      if (platform !== 'linux') return tell({ openAtLogin: on, args: [HIDDEN] });
      if (!on) return rmSync(file, { force: true });
      mkdirSync(join(file, '..'), { recursive: true });
      writeFileSync(file, desktopEntry(program));
    },
  };
}

/** The path stands in quotes, with what the format gives a meaning escaped (Desktop Entry Specification, "The Exec key"; `%` is doubled). */
function desktopEntry(program: string): string {
  const quoted = program.replaceAll('\\', '\\\\\\\\').replaceAll(/["`$]/g, '\\\\$&').replaceAll('%', '%%');
  return `[Desktop Entry]
Type=Application
Name=Yardmaster
Comment=Operations console for workflow jobs
Exec="${quoted}" ${HIDDEN}
X-GNOME-Autostart-enabled=true
`;
}
