/**
 * Roles besides that of the masters that may change what the cluster keeps. Superusers may do so anyway, and roles that the
 * masters' own belongs to are shared on purpose. $1: the schema.
 */
export const STRANGERS = `
WITH me AS (SELECT oid, rolname FROM pg_roles WHERE rolname = current_user),
things AS (
  SELECT 'schema' AS kind, nspname::text AS name, nspowner AS owner, nspacl AS acl FROM pg_namespace WHERE nspname = $1
  UNION ALL
  SELECT 'table', c.relname::text, c.relowner, c.relacl FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relkind IN ('r', 'p')
),
found AS (
  SELECT owner AS role, 'owns ' || kind AS how, name FROM things
  UNION ALL
  SELECT a.grantee, CASE kind WHEN 'schema' THEN 'creates' ELSE 'writes' END, name
  FROM things CROSS JOIN LATERAL aclexplode(acl) a
  WHERE a.grantee <> owner AND a.privilege_type IN ('CREATE', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER')
  UNION ALL
  SELECT r.oid, 'acts', me.rolname::text FROM pg_roles r, me
  WHERE r.oid <> me.oid AND r.rolcanlogin AND pg_has_role(r.oid, me.oid, 'USAGE')
)
SELECT r.rolname::text AS role, f.how, array_agg(DISTINCT f.name ORDER BY f.name) AS names, me.rolname::text AS me
FROM found f CROSS JOIN me LEFT JOIN pg_roles r ON r.oid = f.role
WHERE f.role <> me.oid AND r.rolsuper IS NOT TRUE AND (f.how = 'acts' OR r.oid IS NULL OR NOT pg_has_role(me.oid, r.oid, 'USAGE'))
GROUP BY 1, 2, 4 ORDER BY 1, 2`;

export interface Stranger {
  /** Null: everybody (PUBLIC). */
  readonly role: string | null;
  readonly how: 'owns schema' | 'owns table' | 'creates' | 'writes' | 'acts';
  /** Of the schema, the tables, or the role that it acts as. */
  readonly names: readonly string[];
  /** The role of the masters. */
  readonly me: string;
}

/** Each with what is to be done, as SQL for an administrator of the database. */
export const warningsOf = (strangers: readonly Stranger[], schema: string): string[] =>
  strangers.map((one) => {
    const who = one.role === null ? 'everybody (PUBLIC)' : `the role ${quoted(one.role)}`;
    const [what, sql] = remedy(one, schema);
    return `PostgreSQL: ${who} ${what}, and so change what all masters hold. As an administrator of the database, run: ${sql}`;
  });

function remedy({ role, how, names, me }: Stranger, schema: string): [what: string, sql: string] {
  const whose = role === null ? 'PUBLIC' : quoted(role);
  const [of, mine] = [quoted(schema), quoted(me)];
  switch (how) {
    case 'owns schema':
      return [`owns the schema ${schema} and may drop its tables`, `ALTER SCHEMA ${of} OWNER TO ${mine};`];
    case 'owns table':
      return [
        `owns tables of the schema ${schema} (${names.join(', ')}) and may write to them`,
        names.map((name) => `ALTER TABLE ${of}.${quoted(name)} OWNER TO ${mine};`).join(' '),
      ];
    case 'creates':
      return [`may make tables in the schema ${schema}`, `REVOKE CREATE ON SCHEMA ${of} FROM ${whose};`];
    case 'writes':
      return [
        `may write to tables of the schema ${schema} (${names.join(', ')})`,
        `REVOKE INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER ON ${names.map((name) => `${of}.${quoted(name)}`).join(', ')} FROM ${whose};`,
      ];
    case 'acts':
      return [`may act as ${mine}, the role of the masters`, `REVOKE ${mine} FROM ${whose};`];
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
