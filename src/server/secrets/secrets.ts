import { DEFAULT_PROJECT } from '../../contract/actions.ts';
import { paginate } from '../../lib/page.ts';
import { errorMessage } from '../../lib/errors.ts';
import type { Limits } from '../../contract/limits.ts';
import { MIN_REDACTED_CHARACTERS } from '../../contract/secret-names.ts';
import type { Secret, SecretScope } from '../../contract/secrets.ts';
import type { Page } from '../../contract/shapes.ts';
import type { LeasedSecret } from '../../contract/worker-protocol.ts';
import { iso, type Clock } from '../../lib/clock.ts';
import { Fault, invalidAt } from '../../lib/fault.ts';
import { parseStored } from '../../lib/json.ts';
import { createDisguiseRedactor, type NamedSecret } from '../../lib/redact.ts';
import type { Access } from '../access/port.ts';
import type { ReadHandle, Store } from '../store/port.ts';
import { unknownProject } from '../store/unknown-project.ts';
import { openKeyring, type Keyring, type Sealed } from './keyring.ts';
import { changedScope, DEFAULT_SCOPE, environmentsOf, foreign, scopeOf, scopeRefusal } from './scope.ts';
import { projectOf, recordUses, wasPublished } from './uses.ts';
import type { SecretHolding, Secrets } from './port.ts';

interface Row {
  name: string;
  description: string | null;
  key_id: string;
  nonce: Uint8Array;
  box: Uint8Array;
  /** JSON of a `SecretScope`. */
  scope: string;
  project: string;
  created_at: number;
  updated_at: number;
  updated_by: string;
}

export interface SecretsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly limits: Readonly<Pick<Limits, 'secrets' | 'secretBytes'>>;
  readonly record: Access['audit']['record'];
  /** Where the key is kept where none is given. */
  readonly keyFile: string;
  /** `YARDMASTER_SECRETS_KEY`. */
  readonly givenKeys: string | null;
  log(line: string): void;
}

const PUT =
  'INSERT INTO secret (name, description, key_id, nonce, box, scope, project, created_at, updated_at, updated_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET description = excluded.description, scope = excluded.scope, project = excluded.project, key_id = excluded.key_id, nonce = excluded.nonce, box = excluded.box, updated_at = excluded.updated_at, updated_by = excluded.updated_by';

/** The secrets room. All values are in memory once opened: a lease never waits for the disk. A key that is missing or wrong is told, and the master starts all the same. */
export async function createSecrets(deps: SecretsDeps): Promise<Secrets> {
  const { store, clock, limits, record, log } = deps;
  const rows = store.read.query<Row>('SELECT * FROM secret ORDER BY name').all();
  let trouble: string | null = null;
  const keyring = openOrTell();
  /** Null: it cannot be read. */
  const values = new Map<string, string | null>(rows.map((row) => [row.name, opened(keyring, row)]));
  const scopes = new Map<string, SecretScope>(rows.map((row) => [row.name, storedScope(row)]));
  const owners = new Map<string, string>(rows.map(({ name, project }) => [name, project]));
  const watchers: ((secrets: readonly NamedSecret[]) => void)[] = [];
  const readable = (): NamedSecret[] =>
    [...values].flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
  let redactor = createDisguiseRedactor(readable(), MIN_REDACTED_CHARACTERS);
  tellUnreadable();
  await sealAnew();

  function openOrTell(): Keyring | null {
    try {
      return openKeyring(deps.keyFile, deps.givenKeys);
    } catch (error) {
      trouble = errorMessage(error);
      log(`secrets: ${trouble}`);
      return null;
    }
  }

  function tellUnreadable() {
    const lost = rows.filter(({ name }) => values.get(name) === null);
    if (lost.length === 0) return;
    const ids = [...new Set(lost.map((row) => row.key_id))].join(', ');
    trouble ??= `${lost.length} of ${rows.length} secrets cannot be decrypted: encryption key ${ids} is missing. Restore it in ${deps.keyFile} or YARDMASTER_SECRETS_KEY and restart, or set these secrets again: ${lost
      .map(({ name }) => name)
      .slice(0, 20)
      .join(', ')}`;
    log(`secrets: ${trouble}`);
  }

  /** What another key than the first one holds is brought under the first. */
  async function sealAnew(): Promise<void> {
    const old = rows.filter(
      (row) => keyring?.currentKeyId && row.key_id !== keyring.currentKeyId && values.get(row.name) !== null,
    );
    if (!keyring || old.length === 0) return;
    const anew = old.map(({ name }) => ({ name, sealed: keyring.encrypt(name, values.get(name) ?? '') }));
    await store.write((db) => {
      for (const { name, sealed } of anew)
        db.statement('UPDATE secret SET key_id = ?, nonce = ?, box = ? WHERE name = ?').run(
          sealed.keyId,
          sealed.nonce,
          sealed.box,
          name,
        );
    });
    log(`secrets: re-encrypted ${old.length} with key ${keyring.currentKeyId}`);
  }

  function changed(name: string, value: string | null | undefined) {
    if (value === undefined) values.delete(name);
    else values.set(name, value);
    const all = readable();
    redactor = createDisguiseRedactor(all, MIN_REDACTED_CHARACTERS);
    for (const watcher of watchers) watcher(all);
  }

  const view = (row: Omit<Row, 'nonce' | 'box' | 'key_id'>): Secret => ({
    name: row.name,
    description: row.description,
    scope: storedScope(row),
    project: row.project,
    readable: typeof values.get(row.name) === 'string',
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    updatedBy: row.updated_by,
  });
  const rowOf = (db: ReadHandle, name: string) => db.query<Row>('SELECT * FROM secret WHERE name = ?').get(name);
  /** For the audit log: never the value. */
  const noted = (row: Row) => ({
    name: row.name,
    description: row.description,
    scope: storedScope(row),
    project: row.project,
    keyId: row.key_id,
  });

  return {
    cipher: {
      get currentKeyId() {
        return keyring?.currentKeyId ?? null;
      },
      encrypt(name, value) {
        if (keyring === null)
          throw new Fault(
            'SECRETS_LOCKED',
            `encryption is not available: ${trouble ?? 'the encryption key is missing'}`,
          );
        return keyring.encrypt(name, value);
      },
      decrypt(name, sealed) {
        try {
          return keyring?.decrypt(name, sealed) ?? null;
        } catch {
          return null;
        }
      },
    },
    get keyProblem() {
      return trouble;
    },
    get redactor() {
      return redactor;
    },
    async list(wanted, sees): Promise<Page<Secret>> {
      const rows = store.read
        .query<Row>(
          'SELECT name, description, scope, project, created_at, updated_at, updated_by FROM secret ORDER BY name',
        )
        .all();
      return paginate(sees ? rows.filter((row) => sees(holdingOf(row))) : rows, wanted, view);
    },
    find(name) {
      const row = rowOf(store.read, name);
      return row ? { ...holdingOf(row), scope: storedScope(row) } : null;
    },
    async put(name, { value, description, scope, project }, actor) {
      if (keyring === null)
        throw new Fault('SECRETS_LOCKED', `secrets cannot be set: ${trouble ?? 'the encryption key is missing'}`);
      if (Buffer.byteLength(value) > limits.secretBytes)
        throw invalid('/value', `must have at most ${limits.secretBytes} bytes`);
      if (!values.has(name) && values.size >= limits.secrets)
        throw invalid('/name', `the maximum of ${values.size} secrets is reached: delete one first`);
      const now = clock.now();
      const sealed: Sealed = keyring.encrypt(name, value);
      const row = await store.write((db) => {
        const before = rowOf(db, name);
        const kept = description === undefined ? (before?.description ?? null) : description;
        const owner = project ?? before?.project ?? DEFAULT_PROJECT;
        const lacking = unknownProject(db, owner);
        if (lacking) throw lacking;
        db.statement(PUT).run(
          name,
          kept,
          sealed.keyId,
          sealed.nonce,
          sealed.box,
          scope === undefined ? (before?.scope ?? JSON.stringify(DEFAULT_SCOPE)) : JSON.stringify(scopeOf(scope)),
          owner,
          before?.created_at ?? now,
          now,
          actor.name,
        );
        // It was written in this transaction.
        const after = rowOf(db, name) as Row;
        record(db, actor, {
          action: before ? 'secret.change' : 'secret.create',
          target: `secret:${name}`,
          before: before ? noted(before) : null,
          after: noted(after),
        });
        return after;
      });
      scopes.set(name, storedScope(row));
      owners.set(name, row.project);
      changed(name, value);
      return view(row);
    },
    async update(name, { description, scope, project }, actor) {
      const row = await store.write((db) => {
        const before = rowOf(db, name);
        if (!before) return null;
        const owner = project ?? before.project;
        const lacking = unknownProject(db, owner);
        if (lacking) throw lacking;
        db.statement(
          'UPDATE secret SET description = ?, scope = ?, project = ?, updated_at = ?, updated_by = ? WHERE name = ?',
        ).run(
          description === undefined ? before.description : description,
          scope === undefined ? before.scope : JSON.stringify(changedScope(storedScope(before), scope)),
          owner,
          clock.now(),
          actor.name,
          name,
        );
        // It was there a moment ago, in this transaction.
        const after = rowOf(db, name) as Row;
        record(db, actor, {
          action: 'secret.change',
          target: `secret:${name}`,
          before: noted(before),
          after: noted(after),
        });
        return after;
      });
      if (!row) throw notFound(name);
      scopes.set(name, storedScope(row));
      owners.set(name, row.project);
      return view(row);
    },
    async remove(name, actor) {
      const gone = await store.write((db) => {
        const before = rowOf(db, name);
        if (!before) return false;
        db.statement('DELETE FROM secret WHERE name = ?').run(name);
        record(db, actor, { action: 'secret.delete', target: `secret:${name}`, before: noted(before), after: null });
        return true;
      });
      if (!gone) throw notFound(name);
      scopes.delete(name);
      owners.delete(name);
      changed(name, undefined);
    },
    lease(names) {
      const leased: Record<string, LeasedSecret> = {};
      for (const name of names) {
        const value = values.get(name);
        if (typeof value === 'string') leased[name] = { value };
        else
          leased[name] = {
            missing:
              value === null
                ? `secret ${name} cannot be decrypted: the master does not have its encryption key`
                : `secret ${name} not found: set it with \`yardmaster secrets set ${name}\``,
          };
      }
      return leased;
    },
    refusal(db, names, run) {
      let published: boolean | null = null;
      const isPublished = () => (published ??= wasPublished(db, run));
      let project: string | null = null;
      const projectHere = () => (project ??= projectOf(db, run));
      for (const name of names) {
        const scope = scopes.get(name);
        const owner = owners.get(name);
        if (owner !== undefined && owner !== projectHere()) return foreign(name, run);
        const refused = scope && scopeRefusal(name, scope, run, isPublished);
        if (refused) return refused;
      }
      return null;
    },
    recordUses: (db, uses) => recordUses(db, uses, (name) => typeof values.get(name) === 'string', record),
    watch(listener) {
      watchers.push(listener);
      listener(readable());
    },
  };
}

function opened(keyring: Keyring | null, row: Row): string | null {
  try {
    return keyring?.decrypt(row.name, { keyId: row.key_id, nonce: row.nonce, box: row.box }) ?? null;
  } catch {
    return null;
  }
}

const holdingOf = (row: Pick<Row, 'scope' | 'project'>): SecretHolding => ({
  project: row.project,
  environments: environmentsOf(storedScope(row)),
});

const storedScope = ({ scope }: Pick<Row, 'scope'>): SecretScope => parseStored<SecretScope>(scope);

const notFound = (name: string): Fault => new Fault('SECRET_NOT_FOUND', `secret ${name} not found`);

const invalid = (pointer: string, message: string): Fault => invalidAt(pointer, `the secret ${message}`, message);
