/** What of a JSON schema is shown. */
export interface JsonSchema {
  type?: string;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: unknown;
  const?: unknown;
  default?: unknown;
  format?: string;
  pattern?: string;
  description?: string;
}

const DEEPEST = 4;

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? c);

/** A schema as a readable list of its fields. */
export function schemaHtml(schema: JsonSchema, depth = 0): string {
  const object = objectOf(schema);
  if (!object) return depth === 0 ? `<p><span class="type">${escapeHtml(typeText(schema))}</span></p>` : '';
  const required = new Set(object.required);
  const rows = Object.entries(object.properties ?? {}).map(([name, field]) => {
    const inner = depth < DEEPEST && objectOf(field) ? schemaHtml(field, depth + 1) : '';
    const notes = [
      required.has(name) ? '' : 'optional',
      field.default === undefined ? '' : `default ${JSON.stringify(field.default)}`,
    ]
      .filter(Boolean)
      .join(', ');
    return `<li><code>${escapeHtml(name)}</code> <span class="type">${escapeHtml(typeText(field))}</span>${notes === '' ? '' : ` <span class="note">${escapeHtml(notes)}</span>`}${field.description !== undefined ? ` ${escapeHtml(field.description)}` : ''}${inner}</li>`;
  });
  if (rows.length === 0) return depth === 0 ? `<p><span class="type">${escapeHtml(typeText(schema))}</span></p>` : '';
  const list = isArray(schema) && depth === 0 ? '<p>A list of:</p>' : '';
  return `${list}<ul class="fields">${rows.join('')}</ul>`;
}

const isArray = (schema: JsonSchema): boolean => schema.type === 'array';

/** The object that a schema describes: itself, its items, or the one branch of a union that is not null. */
function objectOf(schema: JsonSchema): JsonSchema | null {
  if (schema.type === 'object') return schema;
  if (isArray(schema)) return objectOf(schema.items ?? {});
  const branches = (schema.anyOf ?? []).map(objectOf).filter((b) => b !== null);
  return branches[0] ?? null;
}

function typeText(schema: JsonSchema): string {
  const branches = schema.anyOf;
  if (branches) return [...new Set(branches.map(typeText))].join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (isArray(schema)) return `list of ${typeText(schema.items ?? {})}`;
  if (schema.type === undefined) return 'any JSON';
  const format = schema.format ?? schema.pattern;
  return `${schema.type}${format === undefined ? '' : ` (${format})`}`;
}
