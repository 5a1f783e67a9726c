import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { programOf } from '../lib/debian.mjs';

/** What runs the product elsewhere: units of systemd, and services of compose. */
const COMPOSE = 'deploy/compose';
const optionNames = ['commands/master', 'commands/worker', 'commands/pipeline', 'remote-logs', 'remote-metrics']
  .flatMap((name) => [...readFileSync(`src/cli/${name}.ts`, 'utf8').matchAll(/'--([a-z-]+)[ ']/g)])
  .map(([, name = '']) => `YARDMASTER_${name.toUpperCase().replaceAll('-', '_')}`);
const secretNames = [...readFileSync('src/cli/secret-files.ts', 'utf8').matchAll(/'(YARDMASTER_\w+)'/g)].flatMap(
  ([, name = '']) => [name, `${name}_FILE`],
);
const unknownOf = (names: readonly string[]): string[] => {
  const known = new Set([...optionNames, ...secretNames]);
  return names.filter((name) => name.startsWith('YARDMASTER_') && !known.has(name));
};

describe.each(['master', 'worker'])('the unit of the %s', (name) => {
  const text = readFileSync(`deploy/systemd/yardmaster-${name}.service`, 'utf8');
  const lines = text.split('\n');

  it('is valid for systemd, where that is here', () => {
    const analyze = programOf('systemd-analyze');
    if (analyze === null) return;
    const folder = mkdtempSync(join(tmpdir(), 'yardmaster-units-'));
    try {
      const file = join(folder, `yardmaster-${name}.service`);
      writeFileSync(file, text.replace('/usr/bin/yardmaster', process.execPath));
      const said = execFileSync(analyze, ['verify', '--man=no', file], { encoding: 'utf8', stdio: 'pipe' });
      expect(said).toBe('');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('runs it as a user without rights, and ends it in order', () => {
    expect(lines).toEqual(
      expect.arrayContaining([
        ...['DynamicUser=yes', 'NoNewPrivileges=yes', 'CapabilityBoundingSet=', 'ProtectSystem=strict'],
        ...['ProtectHome=yes', 'PrivateTmp=yes', 'PrivateDevices=yes', 'SystemCallFilter=@system-service'],
        ...['KillMode=mixed', `ExecStart=/usr/bin/yardmaster ${name}`],
      ]),
    );
    const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1]);
    expect(seconds).toBeGreaterThan(30 + 20);
    // V8 could not compile.
    expect(lines).not.toContain('MemoryDenyWriteExecute=yes');
  });

  it('names variables that there are, and no secret', () => {
    const variables = [...text.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, key = '', value = '']) => [key, value]);
    expect(unknownOf(variables.map(([key = '']) => key))).toEqual([]);
    for (const [key = '', value] of variables) if (key.endsWith('_FILE')) expect(value).toMatch(/^%d\//);
  });
});

interface Service {
  command?: string[];
  environment?: Record<string, string>;
  depends_on?: string[] | Record<string, unknown>;
  secrets?: string[];
  volumes?: string[];
  read_only?: boolean;
  ports?: string[];
}

describe('compose', () => {
  const { services, secrets, volumes } = parse(readFileSync(join(COMPOSE, 'compose.yaml'), 'utf8'), {
    merge: true,
  }) as {
    services: Record<string, Service>;
    secrets: Record<string, { file: string }>;
    volumes: Record<string, unknown>;
  };

  it('has all that its services name', () => {
    for (const service of Object.values(services)) {
      const needed = Array.isArray(service.depends_on) ? service.depends_on : Object.keys(service.depends_on ?? {});
      for (const name of needed) expect(services).toHaveProperty(name);
      for (const name of service.secrets ?? []) expect(secrets).toHaveProperty([name]);
      for (const volume of service.volumes ?? []) {
        const [from = ''] = volume.split(':');
        if (from.startsWith('./')) expect(existsSync(join(COMPOSE, from)), from).toBe(true);
        else expect(volumes).toHaveProperty([from]);
      }
      // Nothing is open to other machines.
      for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
  });

  it('names variables that there are, and files of secrets that services get', () => {
    for (const { environment = {}, secrets: given = [], ...service } of Object.values(services)) {
      expect(unknownOf(Object.keys(environment))).toEqual([]);
      for (const [name, value] of Object.entries(environment))
        if (name.startsWith('YARDMASTER_') && name.endsWith('_FILE'))
          expect(given.map((one) => `/run/secrets/${one}`)).toContain(value);
      if (environment['YARDMASTER_STORE'] ?? environment['YARDMASTER_MASTER']) expect(service.read_only).toBe(true);
    }
  });

  it('gets its secrets from a script that makes each once', () => {
    const folder = mkdtempSync(join(tmpdir(), 'yardmaster-compose-'));
    try {
      const script = join(folder, 'make-secrets.sh');
      writeFileSync(script, readFileSync(join(COMPOSE, 'make-secrets.sh')));
      const made = () => {
        execFileSync('sh', [script]);
        return Object.values(secrets).map(({ file }) => readFileSync(join(folder, file), 'utf8').trim());
      };
      const first = made();
      expect(new Set(first).size).toBe(5);
      for (const secret of first) expect(secret.length).toBeGreaterThanOrEqual(44);
      expect(made()).toEqual(first);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
