import { docsContentSecurityPolicy } from '../../../lib/content-security-policy.ts';
import { randomBytes } from 'node:crypto';
import { ERRORS } from '../../../contract/errors.ts';
import { ROUTES } from '../../../contract/routes.ts';
import { type Route, routeErrors } from '../../../contract/shapes.ts';
import { VERSION } from '../../../contract/version.ts';
import { DOCS_STYLE } from './docs-style.ts';
import { escapeHtml as esc, schemaHtml } from './docs-schema.ts';
import { headersOf } from './openapi.ts';
import type { App } from '../core/route.ts';

/** `/docs`: every route, its fields and the errors, as one page that needs no script. */
export function docsRoutes({ table }: App): void {
  let page: string | undefined;
  table.add('GET', '/docs', {
    handler(_request, reply) {
      const nonce = randomBytes(18).toString('base64');
      return reply
        .header('content-type', 'text/html; charset=utf-8')
        .header('content-security-policy', docsContentSecurityPolicy(nonce))
        .send((page ??= render()).replace('__NONCE__', nonce));
    },
  });
}

const WHO: Readonly<Record<Route['access'], string>> = {
  self: 'any token or session',
  open: 'no credentials',
  key: 'API key',
  viewer: 'viewer',
  operator: 'operator',
  admin: 'admin',
};

function render(): string {
  const routes = Object.entries<Route>(ROUTES);
  const tags = [...new Set(routes.map(([, r]) => r.tag))];
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>Yardmaster API</title><style nonce="__NONCE__">${DOCS_STYLE}</style></head>
<body>
<nav aria-label="Routes"><a class="home" href="/">Yardmaster</a> <span class="version">${esc(VERSION)}</span>
${tags
  .map(
    (tag) =>
      `<h2>${esc(tag)}</h2><ul>${routes
        .filter(([, r]) => r.tag === tag)
        .map(([name, r]) => `<li><a href="#${name}">${esc(r.summary)}</a></li>`)
        .join('')}</ul>`,
  )
  .join('\n')}
<h2>Errors</h2><ul><li><a href="#errors">Error codes</a></li></ul></nav>
<main>
<h1>Yardmaster API</h1>
<p>JSON over HTTP. Operators authenticate with <code>Authorization: Bearer &lt;token&gt;</code>, event calls with <code>api-key: &lt;key&gt;</code>. Machine-readable: <a href="/api/v1/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<p>Lists return <code>items, page, size, totalItems, totalPages</code>; <code>page</code> starts at 0. Times are ISO 8601 in UTC. Every response has an <code>x-request-id</code> header.</p>
<pre><code>curl -X POST http://127.0.0.1:8700/api/v1/events/my-workflow/dev \\
  -H "api-key: $YARDMASTER_API_KEY" -H "content-type: application/json" \\
  -d '[{"content": "hello"}]'</code></pre>
${tags
  .map(
    (tag) =>
      `<h2 class="tag">${esc(tag)}</h2>${routes
        .filter(([, r]) => r.tag === tag)
        .map(([name, r]) => routeHtml(name, r))
        .join('\n')}`,
  )
  .join('\n')}
<h2 class="tag" id="errors">Error codes</h2>
<p>Errors are <code>application/problem+json</code> (RFC 9457): <code>type, title, status, detail, code, instance</code>, and <code>errors</code> with a JSON pointer for each validation error. <code>code</code> is stable.</p>
<table><thead><tr><th>Code</th><th>Status</th><th>Meaning</th><th>Routes</th></tr></thead><tbody>${Object.entries(
    ERRORS,
  )
    .map(
      ([code, [status, title]]) =>
        `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${esc(title)}</td><td>${routesWith(code).join(' ')}</td></tr>`,
    )
    .join('')}</tbody></table>
</main>
</body>
</html>
`;
}

const codeLink = (code: string): string => `<a href="#${code}"><code>${code}</code></a>`;
/** The routes that name a code; one that any route may answer with is said so. */
const routesWith = (code: string): string[] => {
  const routes = Object.entries<Route>(ROUTES).filter(([, route]) => routeErrors(route).some((one) => one === code));
  if (routes.length === Object.keys(ROUTES).length) return ['any'];
  return routes.map(([name]) => `<a href="#${name}"><code>${name}</code></a>`);
};

function routeHtml(name: string, r: Route): string {
  const parts: string[] = [];
  if (r.query) parts.push(`<h4>Query</h4>${schemaHtml(r.query)}`);
  const headers = headersOf(name);
  if (headers.length > 0)
    parts.push(
      `<h4>Headers</h4><ul class="fields">${headers.map((h) => `<li><code>${esc(h.name)}</code> ${esc(h.description)}</li>`).join('')}</ul>`,
    );
  if (r.body) parts.push(`<h4>Body</h4>${schemaHtml(r.body)}`);
  for (const [status, schema] of Object.entries(r.answers))
    parts.push(
      `<h4>${status}${r.produces ? ` <span class="type">${esc(r.produces)}</span>` : ''}</h4>${schema === null ? '<p>No body.</p>' : schemaHtml(schema)}`,
    );
  parts.push(`<h4>Errors</h4><p>${routeErrors(r).map(codeLink).join(' ')}</p>`);
  return `<section id="${name}"><h3><span class="method ${r.method.toLowerCase()}">${r.method}</span> <code>${esc(r.path).replace(/:([A-Za-z]+)/g, '<var>{$1}</var>')}</code></h3><p>${esc(r.summary)}. <span class="who">Needs: ${WHO[r.access]}</span></p>${parts.join('')}</section>`;
}
