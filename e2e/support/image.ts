import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** What a container of an image begins with. */
export interface ImageConfig {
  /** The image's own files; what its base brings is not there. */
  readonly root: string;
  readonly base: string;
  readonly env: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
  readonly user: string;
}

interface Stage {
  readonly base: string;
  readonly root: string;
  workdir: string;
  readonly env: Record<string, string>;
  entrypoint: string[];
  command: string[];
  healthCheck: string[];
  user: string;
}

/** Instructions, with what follows them. */
const instructionsOf = (text: string): [name: string, rest: string][] =>
  text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
      return [name, rest.replace(/\s+/g, ' ')];
    });

/**
 * Follows the steps of a Dockerfile in a folder, without a container engine: each stage is a folder, COPY copies into it from
 * `context` or from another stage, RUN runs there. It knows what our Dockerfile uses, and throws at anything else. `npm ci`
 * takes the packages that are installed already, of the same lock file.
 */
export function followDockerfile(file: string, context: string, work: string): ImageConfig {
  const ignored = ignoreOf(readFileSync(join(context, '.dockerignore'), 'utf8'));
  const stages = new Map<string, Stage>();
  let stage: Stage | null = null;
  for (const [name, rest] of instructionsOf(readFileSync(file, 'utf8'))) {
    if (name === 'FROM') {
      const [base = '', , alias = 'image'] = rest.split(' ');
      const root = join(work, alias);
      mkdirSync(root, { recursive: true });
      stage = {
        ...{ base, root, workdir: '/', env: {} },
        ...{ entrypoint: [], command: [], healthCheck: [], user: 'root' },
      };
      stages.set(alias, stage);
      continue;
    }
    if (stage === null) throw new Error(`${name} before FROM`);
    if (name === 'WORKDIR') mkdirSync(join(stage.root, (stage.workdir = rest)), { recursive: true });
    else if (name === 'ENV')
      for (const pair of rest.split(' '))
        stage.env[pair.slice(0, pair.indexOf('='))] = pair.slice(pair.indexOf('=') + 1);
    else if (name === 'COPY') copy(stage, rest);
    else if (name === 'RUN') runStep(stage, rest);
    else if (name === 'USER') stage.user = rest;
    else if (name === 'ENTRYPOINT') stage.entrypoint = JSON.parse(rest) as string[];
    else if (name === 'CMD') stage.command = JSON.parse(rest) as string[];
    else if (name === 'HEALTHCHECK') stage.healthCheck = JSON.parse(rest.slice(rest.indexOf('CMD') + 4)) as string[];
    else if (!['LABEL', 'EXPOSE', 'VOLUME', 'STOPSIGNAL'].includes(name)) throw new Error(`unknown step ${name}`);
  }
  if (stage === null) throw new Error('no FROM');
  return stage;

  function copy(into: Stage, rest: string): void {
    const words = rest.split(' ');
    const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
    const paths = words.filter((word) => !word.startsWith('--'));
    const target = paths.pop() ?? '';
    const source = from === undefined ? context : stages.get(from)?.root;
    if (source === undefined) throw new Error(`COPY from an unknown stage: ${from}`);
    for (const path of paths) {
      const found = join(source, path);
      if (!existsSync(found)) throw new Error(`COPY ${path}: no such file`);
      const place = join(into.root, resolve(into.workdir, target));
      const isInto = target.endsWith('/') && !statSync(found).isDirectory();
      const to = isInto ? join(place, basename(path)) : place;
      mkdirSync(dirname(to), { recursive: true });
      cpSync(found, to, {
        recursive: true,
        preserveTimestamps: true,
        verbatimSymlinks: true,
        filter: (one) => from !== undefined || !ignored(one.slice(context.length + 1)),
      });
    }
  }

  function runStep(on: Stage, command: string): void {
    const cwd = join(on.root, on.workdir);
    if (command === 'npm ci') return symlinkSync(join(context, 'node_modules'), join(cwd, 'node_modules'), 'junction');
    const [program = '', ...args] = command.split(' ');
    const path = `${join(context, 'node_modules', '.bin')}:${process.env['PATH']}`;
    execFileSync(program, args, { cwd, env: { ...process.env, ...on.env, PATH: path }, stdio: 'pipe' });
  }
}

/** Patterns of the kinds that our `.dockerignore` uses: a path, and `**` before a name. */
function ignoreOf(text: string): (path: string) => boolean {
  const patterns = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const expression = line
        .replace(/^\*\*\//, '')
        .replaceAll('.', '\\.')
        .replaceAll('*', '[^/]*');
      return new RegExp(line.startsWith('**/') ? `(^|/)${expression}(/|$)` : `^${expression}(/|$)`);
    });
  return (path) => patterns.some((pattern) => pattern.test(path));
}
