import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { migrations } from './migrate.ts';

it('keys and secrets go where the workflows lie that they name', () => {
  const db = new Database(':memory:');
  const here = migrations.findIndex(({ sql }) => sql.includes('ALTER TABLE secret ADD COLUMN project'));
  for (const { sql } of migrations.slice(0, here)) db.exec(sql);
  db.exec(`
    INSERT INTO project (id, name, created_at, created_by) VALUES ('shop', 'Shop', 0, ''), ('bank', 'Bank', 0, '');
    INSERT INTO workflow (id, name, created_at, updated_at, project)
      VALUES ('orders', '', 0, 0, 'shop'), ('returns', '', 0, 0, 'shop'), ('accounts', '', 0, 0, 'bank');`);
  const named = {
    shop: ['orders', 'returns', 'gone'],
    bank: ['accounts'],
    default: ['*'],
    several: ['orders', 'accounts'],
  };
  for (const [seq, [name, workflows]] of Object.entries(named).entries()) {
    db.prepare(
      `INSERT INTO api_key (id, name, prefix, workflows, environments, created_at, created_by, seq) VALUES (?, '', '', ?, '[]', 0, '', ?)`,
    ).run(name, JSON.stringify(workflows), seq);
    db.prepare(
      `INSERT INTO secret (name, key_id, nonce, box, scope, created_at, updated_at, updated_by) VALUES (?, '', x'', x'', ?, 0, 0, '')`,
    ).run(name, JSON.stringify(name === 'default' ? { drafts: false } : { workflows, drafts: false }));
  }
  db.exec(migrations[here]?.sql ?? '');
  const projects = (table: string, id: string) =>
    Object.fromEntries(
      db
        .prepare<[], { id: string; project: string }>(`SELECT ${id} AS id, project FROM ${table}`)
        .all()
        .map((row) => [row.id, row.project]),
    );
  const expected = { shop: 'shop', bank: 'bank', default: 'default', several: 'default' };
  expect([projects('api_key', 'id'), projects('secret', 'name')]).toEqual([expected, expected]);
  db.close();
});
