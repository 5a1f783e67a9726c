/** The nonce that the master wrote into the page for style tags (Mantine, CodeMirror); empty where it serves none. */
export function cspNonce(): string {
  const value = document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? '';
  return value.startsWith('__') ? '' : value;
}
