/** A public API for demos, so that samples show something at once; authors put their own here. */
export const DEMO_API = 'https://jsonplaceholder.typicode.com';

/** What an `http` node comes to in a test case. */
export const answered = (body: unknown, status = 200) => ({ status, headers: {}, body });
