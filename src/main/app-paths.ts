import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Files of the app. */
export interface AppPaths {
  console: string;
  preload: string;
  /** Icons of the tray. */
  tray: string;
  /** What plain Node runs: the master, workers and the command line. */
  cli: string;
  examples: string;
  /** The Node.js that an installed app brings; null: this is a folder of sources. */
  node: string | null;
}

/** An installed app's code is in an archive that plain Node cannot read: what Node runs lies beside it, with the Node to run it. */
const ARCHIVE = 'app.asar';

/** Seen from `out/main/index.js`. `resources` is `process.resourcesPath`. */
export function appPaths(
  base: string = import.meta.url,
  resources: string = process.resourcesPath,
  platform: NodeJS.Platform = process.platform,
): AppPaths {
  const at = (path: string) => fileURLToPath(new URL(path, base));
  const own = { console: at('../renderer/'), preload: at('../preload/index.cjs'), tray: at('../../resources/tray/') };
  const installed = at('./index.js').split(sep).includes(ARCHIVE);
  if (!installed) return { ...own, cli: at('./cli.js'), examples: at('../../resources/examples'), node: null };
  const server = join(resources, 'server');
  return {
    ...own,
    cli: join(server, 'out', 'main', 'cli.js'),
    examples: join(server, 'resources', 'examples'),
    node: join(resources, 'node', platform === 'win32' ? 'node.exe' : 'node'),
  };
}

/** Options of the local master: what stands after `--` on the command line of the app. */
export function masterArguments(argv: readonly string[]): string[] {
  const at = argv.indexOf('--');
  return at < 0 ? [] : argv.slice(at + 1);
}

/** The value of `--name value` or `--name=value`, the last one counts; null where it is not given. */
export function findOption(args: readonly string[], name: string): string | null {
  for (let i = args.length - 1; i >= 0; i--) {
    const arg = args[i] ?? '';
    if (arg.startsWith(`${name}=`)) return arg.slice(name.length + 1);
    if (arg === name) return args[i + 1] ?? null;
  }
  return null;
}
