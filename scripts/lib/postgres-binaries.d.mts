export function serverUser(): { uid: number; gid: number } | undefined;
