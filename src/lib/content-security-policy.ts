/** The content security policies of all that is served: the console's page, the API's answers, the API reference. */

/** The content security policy of the console's page, whoever serves it: its own files and its own origin, and scripts and styles in the page only with the nonce of this very answer. */
export const consoleContentSecurityPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');

/** Of the API's answers, which are data: nothing in them may be run or framed. */
export const API_CONTENT_SECURITY_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Of what the desktop app hands on from a master, whoever that is: data, and never a page. */
export const FORWARDED_CONTENT_SECURITY_POLICY = "default-src 'none'; sandbox";

/** Of the API reference, a page with styles and without scripts. */
export const docsContentSecurityPolicy = (nonce: string): string =>
  `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
