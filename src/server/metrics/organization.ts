/** The one organization that this store has. */
export const ORGANIZATION = { id: '0000000000000001', name: 'yardmaster' } as const;
