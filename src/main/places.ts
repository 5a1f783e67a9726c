import { fileURLToPath } from 'node:url';

/** Files of the installed app, seen from `out/main/index.js`. */
export const places = (base: string = import.meta.url) => ({
  console: fileURLToPath(new URL('../renderer/', base)),
  preload: fileURLToPath(new URL('../preload/index.cjs', base)),
  cli: fileURLToPath(new URL('./cli.js', base)),
  examples: fileURLToPath(new URL('../../resources/examples', base)),
});

/** Options of the local master: what stands after `--` on the command line of the app. */
export function masterArguments(argv: readonly string[]): string[] {
  const at = argv.indexOf('--');
  return at < 0 ? [] : argv.slice(at + 1);
}

/** The value of `--name value` or `--name=value`, the last one counts; null where it is not given. */
export function optionIn(args: readonly string[], name: string): string | null {
  for (let i = args.length - 1; i >= 0; i--) {
    const arg = args[i] ?? '';
    if (arg.startsWith(`${name}=`)) return arg.slice(name.length + 1);
    if (arg === name) return args[i + 1] ?? null;
  }
  return null;
}
