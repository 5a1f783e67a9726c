/** An error of the shell itself, in the form that the master's errors have. */
export function problemResponse(status: number, code: string, title: string, detail: string): Response {
  return new Response(JSON.stringify({ type: 'about:blank', title, status, detail, code, instance: '' }), {
    status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
  });
}
