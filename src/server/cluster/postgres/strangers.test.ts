import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freshDatabase, query, type TestDatabase } from '../../testing/postgres.fixture.ts';
import { systemTime } from '../time.ts';
import { dialPostgres } from './dial-postgres.ts';
import { joinCluster } from './join-cluster.ts';
import { openJournalDatabase } from './journal-database.ts';
import { configOf } from './store-url.ts';

/** Masters sign in with a role of their own, which is no superuser. Roles are those of the whole server. */
let database: TestDatabase;
let masters: string;
let url: string;
let made: string[];
beforeEach(async () => {
  database = await freshDatabase();
  made = [];
  masters = await role('LOGIN');
  const { pathname } = new URL(database.url);
  await query(database.url, `GRANT CREATE ON DATABASE "${pathname.slice(1)}" TO "${masters}"`);
  const own = new URL(database.url);
  own.username = masters;
  own.password = 'secret of masters';
  url = own.href;
  await joinCluster(url, 'a key', null);
});
afterEach(async () => {
  for (const name of made) await query(database.url, `DROP OWNED BY "${name}" CASCADE`);
  for (const name of made) await query(database.url, `DROP ROLE "${name}"`);
  await database.drop();
});

async function role(kind: 'LOGIN' | 'NOLOGIN'): Promise<string> {
  const name = `r_${randomBytes(6).toString('hex')}`;
  await query(database.url, `CREATE ROLE "${name}" ${kind} PASSWORD 'secret of masters'`);
  made.push(name);
  return name;
}
async function warnings(): Promise<string[]> {
  const journal = openJournalDatabase(dialPostgres(configOf(url)), systemTime(), 0);
  try {
    return await journal.warnings();
  } finally {
    await journal.close();
  }
}
/** What a warning says is to be run. */
const sqlOf = (warning: string | undefined): string => warning?.split(' run: ')[1] ?? '';

it('has nothing to say where the masters own what they write, and others only read', async () => {
  const reader = await role('LOGIN');
  await query(database.url, `GRANT USAGE ON SCHEMA yardmaster TO "${reader}"`);
  await query(database.url, `GRANT SELECT ON ALL TABLES IN SCHEMA yardmaster TO "${reader}"`);
  expect(await warnings()).toEqual([]);
});

it('names who owns the schema or a table, and the SQL that puts it right', async () => {
  const other = await role('LOGIN');
  await query(database.url, `ALTER SCHEMA yardmaster OWNER TO "${other}"`);
  await query(database.url, `GRANT ALL ON SCHEMA yardmaster TO "${masters}"`);
  await query(database.url, `ALTER TABLE yardmaster.journal_entry OWNER TO "${other}"`);
  await query(database.url, `GRANT ALL ON yardmaster.journal_entry TO "${masters}"`);
  const found = await warnings();
  expect(found).toEqual([
    expect.stringMatching(
      `^PostgreSQL: the role "${other}" owns the schema yardmaster and may drop its tables, .*administrator`,
    ),
    expect.stringMatching(`^PostgreSQL: the role "${other}" owns tables of the schema yardmaster \\(journal_entry\\)`),
  ]);
  for (const one of found) await query(database.url, sqlOf(one));
  expect(await warnings()).toEqual([]);
});

it('names who else may write, and who may act as the masters', async () => {
  const [writer, actor] = [await role('NOLOGIN'), await role('LOGIN')];
  await query(database.url, `GRANT CREATE ON SCHEMA yardmaster TO PUBLIC`);
  await query(database.url, `GRANT INSERT, TRIGGER ON yardmaster.journal_entry, yardmaster.master TO "${writer}"`);
  await query(database.url, `GRANT "${masters}" TO "${actor}"`);
  const found = await warnings();
  expect(found.map((one) => one.split(',')[0]?.replace('PostgreSQL: ', '')).toSorted()).toEqual(
    [
      'everybody (PUBLIC) may make tables in the schema yardmaster',
      `the role "${writer}" may write to tables of the schema yardmaster (journal_entry`,
      `the role "${actor}" may act as "${masters}"`,
    ].toSorted(),
  );
  for (const one of found) await query(database.url, sqlOf(one));
  expect(await warnings()).toEqual([]);
});

it('takes a group of the masters for theirs', async () => {
  const group = await role('NOLOGIN');
  await query(database.url, `GRANT "${group}" TO "${masters}"`);
  await query(database.url, `ALTER SCHEMA yardmaster OWNER TO "${group}"`);
  await query(database.url, `ALTER TABLE yardmaster.journal_entry OWNER TO "${group}"`);
  expect(await warnings()).toEqual([]);
});
